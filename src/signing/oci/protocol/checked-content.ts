import { createHash } from "node:crypto";
import { algorithmOf } from "../reference/digest";
import type { Descriptor } from "./descriptor";
import { RegistryError } from "./registry-error";

/**
 * Streams content, and checks its size and digest before yielding the last chunk, so that a consumer never
 * completes a wrong copy. Memory use is constant.
 *
 * @param place the content's name in messages
 * @throws RegistryError `WRONG_CONTENT`
 */
export async function* checkedContent(
  source: AsyncIterable<Uint8Array>,
  { digest, size }: Pick<Descriptor, "digest" | "size">,
  place: string,
): AsyncGenerator<Uint8Array> {
  const algorithm = algorithmOf(digest);
  const hash = createHash(algorithm);
  let received = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of source) {
    received += chunk.byteLength;
    if (received > size) throw wrong(place, `it has more than the expected ${size} bytes`);
    hash.update(chunk);
    if (held !== undefined) yield held;
    held = chunk;
  }
  if (received !== size) throw wrong(place, `it has ${received} bytes, expected ${size}`);
  const found = `${algorithm}:${hash.digest("hex")}`;
  if (found !== digest) throw wrong(place, `its digest is ${found}`);
  if (held !== undefined) yield held;
}

function wrong(place: string, problem: string): RegistryError {
  return new RegistryError({
    code: "WRONG_CONTENT",
    message: `the registry returned wrong content for ${place}: ${problem}`,
  });
}
