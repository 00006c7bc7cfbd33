import type { Digest, Problem } from "./digest";
import { parseReference } from "./reference";
import type { Repository } from "./repository";

/** An image by its digest: what can be signed, since it never means anything else. */
export interface DigestReference extends Repository {
  readonly digest: Digest;
}

/** An image by its digest, or what is wrong with the text: "must …". A tag beside the digest is dropped. */
export function parseDigestReference(text: string): DigestReference | Problem {
  const reference = parseReference(text);
  if ("problem" in reference) return reference;
  const { registry, path, digest } = reference;
  if (digest !== undefined) return { registry, path, digest };
  return {
    problem: "must name the image by its digest, repository@sha256:…, since a tag can move",
  };
}
