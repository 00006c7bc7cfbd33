import type { Attempt } from "./attempt";
import { answerTooLarge, type BodySource } from "./read-body";

/** Returns a body as a stream, with the timer of its attempt and a size limit. */
export function watchBody(source: BodySource, maxBytes: number, attempt: Attempt) {
  return {
    body: watched(source, maxBytes, attempt),
    discard: () => {
      attempt.abandon();
    },
  };
}

async function* watched(
  { body }: BodySource,
  maxBytes: number,
  attempt: Attempt,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw answerTooLarge(maxBytes);
      yield chunk;
    }
  } catch (failure) {
    throw attempt.explain(failure);
  } finally {
    attempt.end();
  }
}
