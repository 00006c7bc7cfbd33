import { setImmediate } from "node:timers/promises";
import type { CallContext } from "../../../http/call-context";
import { CodedError } from "../coded-error";

/** Work ended because its call was cancelled, or because its deadline has passed. */
export class InterruptedError extends CodedError<"CANCELLED" | "DEADLINE"> {
  override readonly name = "InterruptedError";

  /** @param work what was interrupted, as a clause in the past tense */
  constructor(code: "CANCELLED" | "DEADLINE", work: string) {
    super(code, `the ${code === "DEADLINE" ? "time ran out" : "call was cancelled"} while ${work}`);
  }
}

const work = "signatures were verified";

/**
 * Gives way to whatever else is waiting in this process, such as an interrupt, and then ends a call that is
 * over.
 *
 * One verification takes a limited number of steps, without waiting for anything. Between several, call this.
 *
 * @throws InterruptedError
 */
export async function nextTurn(
  { signal, deadline }: CallContext,
  now: () => number = Date.now,
): Promise<void> {
  await setImmediate();
  if (signal.aborted) throw new InterruptedError("CANCELLED", work);
  if (now() >= deadline) throw new InterruptedError("DEADLINE", work);
}
