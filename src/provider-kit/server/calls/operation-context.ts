import { isRecord } from "../../../json/is-object";
import type { TimeoutName } from "../../../schema/declaration";
import { parseDuration } from "../../../schema/duration";
import type { Values } from "../../../schema/resource-rule";
import type { ChangeContext, OperationContext, ResourceContext } from "../context";
import type { PrivateState } from "../private-state";
import type { CallParts, Session } from "../session";

const defaultTimeoutMs = 20 * 60 * 1000;

/** What a call hands on to the handlers of a resource. */
export interface HandlerCall<Client> extends CallParts {
  readonly session: Session<Client>;
  readonly privateState: PrivateState;
}

/** The context of a handler that plans. */
export function resourceContext<Client>(call: HandlerCall<Client>): ResourceContext<Client> {
  return call.session.context(call, { privateState: call.privateState });
}

/** The context of a handler that reads or deletes. */
export function operationContext<Client>(
  call: HandlerCall<Client>,
  operation: TimeoutName,
  values: Values,
): OperationContext<Client> {
  const deadline = deadlineOf(call, operation, values);
  return call.session.context(call, { privateState: call.privateState, deadline });
}

/** The context of a handler that creates or updates. */
export function changeContext<Client>(
  call: HandlerCall<Client>,
  operation: "create" | "update",
  planned: Values,
  save: (state: Values) => void,
): ChangeContext<Values, Client> {
  const deadline = deadlineOf(call, operation, planned);
  return call.session.context(call, { privateState: call.privateState, deadline, save });
}

function deadlineOf({ compiled }: CallParts, operation: TimeoutName, values: Values): number {
  const given = isRecord(values["timeouts"]) ? values["timeouts"][operation] : undefined;
  const ms =
    (typeof given === "string" ? parseDuration(given) : undefined) ??
    compiled.declaration.timeouts[operation] ??
    defaultTimeoutMs;
  return Date.now() + ms;
}
