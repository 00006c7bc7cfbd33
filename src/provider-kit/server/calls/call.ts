import type { CallContext } from "../../wire/grpc/grpc-route";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import type { Session } from "../session";

/**
 * Handles one call of the plugin protocol: takes the decoded request, returns the response to
 * encode.
 */
export type Call<Request, Response> = <Client>(
  session: Session<Client>,
  request: Request,
  context: CallContext,
) => Response | Promise<Response>;

/** The part of a response that Terraform shows to the user. */
export interface Diagnosed {
  readonly diagnostics?: readonly DiagnosticInit[] | undefined;
}

/**
 * Runs a call and converts any thrown value to a diagnostic, so that the call itself never fails.
 *
 * @param run receives the list to add warnings to
 */
export function diagnosed<Response extends object>(
  run: (diagnostics: DiagnosticInit[]) => Response | Promise<Response>,
): Response | Diagnosed | Promise<Response | Diagnosed> {
  const diagnostics: DiagnosticInit[] = [];
  const succeed = (response: Response & Diagnosed): Response => ({
    ...response,
    diagnostics: [...diagnostics, ...(response.diagnostics ?? [])],
  });
  const fail = (error: unknown): Diagnosed => ({
    diagnostics: [...diagnostics, errorDiagnostic(error)],
  });
  try {
    const response = run(diagnostics);
    return response instanceof Promise ? response.then(succeed, fail) : succeed(response);
  } catch (error) {
    return fail(error);
  }
}
