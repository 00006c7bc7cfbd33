import { isRecord } from "../../../json/is-object";
import type { TimeoutName } from "../../../schema/declaration";
import { parseDuration } from "../../../schema/duration";
import type { Path } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import type { ChangeContext, OperationContext, PlanContext, ResourceContext } from "../context";
import type { PrivateState } from "../private-state";
import type { CallParts, Session } from "../session";

const defaultTimeoutMs = 20 * 60 * 1000;

/** What a call passes to the handlers of a resource. */
export interface HandlerCall<Client> extends CallParts {
  readonly session: Session<Client>;
  readonly privateState: PrivateState;
}

/** Creates the context of a handler without a deadline. */
export function resourceContext<Client>(call: HandlerCall<Client>): ResourceContext<Client> {
  return call.session.context(call, { privateState: call.privateState });
}

/** Creates the context of a `plan` handler. */
export function planContext<Client>(
  call: HandlerCall<Client>,
  requireReplace: (path: Path) => void,
): PlanContext<Client> {
  return call.session.context(call, { privateState: call.privateState, requireReplace });
}

/**
 * Creates the context of a `read` or `delete` handler.
 *
 * The deadline follows from the `timeouts` block, else from the declaration, else it is 20 minutes.
 */
export function operationContext<Client>(
  call: HandlerCall<Client>,
  operation: TimeoutName,
  values: Values,
): OperationContext<Client> {
  const deadline = deadlineOf(call, operation, values);
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
  const deadline = deadlineOf(call, operation, planned);
  const { privateState } = call;
  const context = call.session.context(call, { privateState, deadline, save });
  // Few handlers need it, and decoding it takes as long as decoding the plan.
  return Object.defineProperty(context, "config", { get: config }) as typeof context & {
    readonly config: Values;
  };
}

function deadlineOf({ compiled }: CallParts, operation: TimeoutName, values: Values): number {
  const given = isRecord(values["timeouts"]) ? values["timeouts"][operation] : undefined;
  const ms =
    (typeof given === "string" ? parseDuration(given) : undefined) ??
    compiled.declaration.timeouts[operation] ??
    defaultTimeoutMs;
  return Date.now() + ms;
}
