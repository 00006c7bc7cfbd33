import type { CallContext } from "../../wire/grpc/grpc-route";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import type { Session } from "../session";

/** One call of the protocol: a request's message in, the response's message out. */
export type Call<Request, Response> = <Client>(
  session: Session<Client>,
  request: Request,
  context: CallContext,
) => Response | Promise<Response>;

/** The part of a response that tells the user something. */
export interface Diagnosed {
  readonly diagnostics?: readonly DiagnosticInit[] | undefined;
}

/** Runs what may fail; whatever is thrown becomes a diagnostic, never a failed call. */
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
