import { setImmediate } from "node:timers/promises";
import type { CallContext } from "../../../http/call-context";
import { endedWhile } from "../../../http/http-error";

const work = "signatures were verified";

/**
 * Lets the process handle other events, such as an interrupt, and then ends a call that was cancelled or is out of time.
 *
 * Call it between verifications: each is synchronous, with a limited number of steps.
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
