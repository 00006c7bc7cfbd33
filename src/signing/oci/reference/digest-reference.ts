import type { Digest, Problem } from "./digest";
import { parseReference } from "./reference";
import type { Repository } from "./repository";

/** An image reference by digest. Only such a reference can be signed, because it always names the same image. */
export interface DigestReference extends Repository {
  readonly digest: Digest;
}

/** Parses an image reference by digest. A tag next to the digest is dropped. */
export function parseDigestReference(text: string): DigestReference | Problem {
  const reference = parseReference(text);
  if ("problem" in reference) return reference;
  const { registry, path, digest } = reference;
  if (digest !== undefined) return { registry, path, digest };
  return {
    problem: "must name the image by digest, repository@sha256:…, because a tag can change",
  };
}
