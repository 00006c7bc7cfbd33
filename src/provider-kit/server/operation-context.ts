import type { TimeoutName } from "../../schema/declaration";
import { parseDuration } from "../../schema/duration";
import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../schema/wrong-type";
import type { DiagnosticInit } from "../wire/tfplugin6";
import type { Compiled } from "./compiled";
import type { OperationContext, ResourceContext } from "./context";
import type { PrivateState } from "./private-state";
import type { Session } from "./session";

const defaultTimeoutMs = 20 * 60 * 1000;

/** What a call hands on to the handlers of a resource. */
export interface HandlerCall<Client> {
  readonly session: Session<Client>;
  readonly compiled: Compiled;
  readonly signal: AbortSignal;
  readonly warnings: DiagnosticInit[];
  readonly privateState: PrivateState;
}

/** The context of a handler that plans. */
export function resourceContext<Client>(call: HandlerCall<Client>): ResourceContext<Client> {
  const { session, compiled, signal, warnings, privateState } = call;
  return { ...session.context(compiled, signal, warnings), privateState };
}

/** The context of a handler that has a time-out. */
export function operationContext<Client>(
  call: HandlerCall<Client>,
  operation: TimeoutName,
  values: Values,
): OperationContext<Client> {
  const { declaration } = call.compiled;
  const given = isRecord(values["timeouts"]) ? values["timeouts"][operation] : undefined;
  const ms =
    (typeof given === "string" ? parseDuration(given) : undefined) ??
    declaration.timeouts[operation] ??
    defaultTimeoutMs;
  return { ...resourceContext(call), deadline: Date.now() + ms };
}
