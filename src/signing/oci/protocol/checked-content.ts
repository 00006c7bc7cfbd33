import { createHash } from "node:crypto";
import type { Descriptor } from "./descriptor";
import { RegistryError } from "./registry-error";

/**
 * Hands content on as it comes, and checks size and digest before the last piece is given: whoever
 * passes it on never completes a wrong copy. Memory is constant.
 */
export async function* checkedContent(
  source: AsyncIterable<Uint8Array>,
  { digest, size }: Pick<Descriptor, "digest" | "size">,
  place: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let received = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of source) {
    received += chunk.byteLength;
    if (received > size) throw wrong(place, `it has more than the ${size} bytes that it should`);
    hash.update(chunk);
    if (held !== undefined) yield held;
    held = chunk;
  }
  if (received !== size) throw wrong(place, `it has ${received} bytes, and not ${size}`);
  const found = hash.digest("hex");
  if (`sha256:${found}` !== digest) throw wrong(place, `its digest is sha256:${found}`);
  if (held !== undefined) yield held;
}

function wrong(place: string, problem: string): RegistryError {
  return new RegistryError({
    code: "WRONG_CONTENT",
    message: `the registry gave other content for ${place}: ${problem}`,
  });
}
