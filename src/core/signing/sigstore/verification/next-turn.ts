import { setImmediate } from "node:timers/promises";
import type { CallContext } from "../../../http/call-context";
import { endedWhile } from "../../../http/http-error";

const work = "signatures were verified";

/**
 * Gives way to whatever else is waiting in this process, such as an interrupt, and then ends a call that is
 * over.
 *
 * One verification takes a limited number of steps, without waiting for anything. Between several, call this.
 *
 * @throws HttpError `CANCELLED`, `DEADLINE`
 */
export async function nextTurn(
  { signal, deadline }: CallContext,
  now: () => number = Date.now,
): Promise<void> {
  await setImmediate();
  if (signal.aborted) throw endedWhile("CANCELLED", work);
  if (now() >= deadline) throw endedWhile("DEADLINE", work);
}
