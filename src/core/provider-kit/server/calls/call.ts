import type { CallContext } from "../../wire/grpc/grpc-route";
import type { providerMethods, RequestOf, ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import { attributeOf, bugDiagnostic, errorDiagnostic } from "../diagnostic";
import type { CallParts, Session } from "../session";
import { formatPath, type Path } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import { UNKNOWN } from "../../../schema/type";
import { type CtyValue, withoutUnknown } from "../../cty/value";
import { nonconformity } from "../../plan/conformity";
import type { Compiled } from "../compiled";
import { isRecord, parsedJson } from "../../../json/plain-json";
import type { TimeoutName } from "../../../schema/declaration";
import { parseDuration } from "../../../schema/duration";
import type { ChangeContext, OperationContext, PlanContext, ResourceContext } from "../context";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6-value";
import { wirePath } from "../../cty/type";

/** Handles one call of the plugin protocol: takes the decoded request, and returns the response to encode. */
export type Call<Name extends keyof typeof providerMethods> = <Client>(
  session: Session<Client>,
  request: RequestOf<Name>,
  context: CallContext,
) => ResponseInitOf<Name> | Promise<ResponseInitOf<Name>>;

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

/** A state that Terraform can store, with diagnostics for problems of the handler's result. */
interface KnownState {
  readonly values: Values | undefined;
  readonly diagnostics: readonly DiagnosticInit[];
}

/**
 * Checks a handler's result before Terraform does, so that the message names the provider.
 *
 * @param planned the planned values; by default, any known values are accepted
 */
export function knownState(
  compiled: Compiled,
  returned: Values | undefined,
  planned?: Values,
): KnownState {
  if (returned === undefined) return { values: undefined, diagnostics: [] };
  const found = nonconformity(compiled.type, planned ?? UNKNOWN, returned);
  const at = found?.path ?? compiled.forbiddenNull(returned);
  if (at === undefined) return { values: returned, diagnostics: [] };
  const where = `${formatPath(wirePath(compiled.type, at))} of ${compiled.declaration.type}`;
  const what = {
    unknown: `The provider left ${where} unknown.`,
    "differs from the plan": `The provider returned a value of ${where} that differs from its plan.`,
    null: `The provider returned null for ${where}, which is declared as never null.`,
  }[found?.reason ?? "null"];
  return {
    values: withoutUnknown(returned as CtyValue) as Values,
    diagnostics: [
      bugDiagnostic("Unexpected Provider Result", what, attributeOf(compiled.type, at)),
    ],
  };
}

const defaultTimeoutMs = 20 * 60 * 1000;

/** The data that a resource stores outside its state: a map for handlers, bytes for Terraform. */
export class StoredPrivateState extends Map<string, string> {
  /** @param warnings receives a warning if the data is dropped, because neither this kit nor a provider in Go wrote it */
  constructor(bytes: Uint8Array, warnings?: DiagnosticInit[]) {
    const parsed = bytes.length === 0 ? {} : parse(bytes);
    super(Object.entries(parsed ?? {}));
    if (parsed === undefined) warnings?.push(foreignPrivateState);
  }

  /** The bytes that Terraform stores: a JSON object, or nothing when it is empty. */
  toBytes(): Uint8Array {
    if (this.size === 0) return new Uint8Array();
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(this)));
  }
}

const foreignPrivateState: DiagnosticInit = {
  severity: "WARNING",
  summary: "Private Data Dropped",
  detail:
    "The private data of the resource is not JSON, so another implementation of the provider must have stored it. It is ignored, and overwritten when the resource is refreshed or applied.",
};

/** @returns undefined if the bytes are not JSON */
function parse(bytes: Uint8Array): Record<string, string> | undefined {
  const values = parsedJson(new TextDecoder().decode(bytes));
  if (values === undefined) return undefined;
  if (!isRecord(values)) return {};
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** The data that a call passes to the handlers of a resource. */
export interface HandlerCall<Client> extends CallParts {
  readonly session: Session<Client>;
  readonly privateState: StoredPrivateState;
}

/** Creates the context of a handler without a deadline. */
export function resourceContext<Client>(call: HandlerCall<Client>): ResourceContext<Client> {
  return call.session.context(call, { privateState: call.privateState });
}

export function planContext<Client>(
  call: HandlerCall<Client>,
  firstPlan: StoredPrivateState,
  requireReplace: (path: Path) => void,
): PlanContext<Client> {
  const { session, privateState } = call;
  return session.context(call, { privateState, firstPlan, requireReplace });
}

/** Creates the context of a `read` or `delete` handler. */
export function operationContext<Client>(
  call: HandlerCall<Client>,
  operation: TimeoutName,
  values: Values,
): OperationContext<Client> {
  const deadline = deadlineOf(call.compiled, operation, values);
  return call.session.context(call, { privateState: call.privateState, deadline });
}

/**
 * Creates the context of a `create` or `update` handler.
 *
 * @param config decodes the configuration
 * @param save receives what the handler saves during the operation
 */
export function changeContext<Client>(
  call: HandlerCall<Client>,
  operation: "create" | "update",
  planned: Values,
  config: () => Values,
  save: (state: Values) => void,
): ChangeContext<Values, Client> {
  const deadline = deadlineOf(call.compiled, operation, planned);
  const { privateState } = call;
  const context = call.session.context(call, { privateState, deadline, save });
  // A getter, because few handlers need the configuration, and decoding it takes as long as decoding the plan.
  return Object.defineProperty(context, "config", { get: config }) as typeof context & {
    readonly config: Values;
  };
}

/** Returns the deadline of an operation from the user's `timeouts`, else from the declaration, else 20 minutes from now. */
export function deadlineOf(
  { declaration }: Compiled,
  operation: TimeoutName,
  values: Values,
): number {
  const given = isRecord(values["timeouts"]) ? values["timeouts"][operation] : undefined;
  const ms =
    (typeof given === "string" ? parseDuration(given) : undefined) ??
    declaration.timeouts[operation] ??
    defaultTimeoutMs;
  return Date.now() + ms;
}
