import { ProviderError } from "../../provider-kit";
import { type DigestReference, parseDigestReference } from "../oci/reference/reference";

/**
 * Parses the image reference of a resource. Validation rejects an invalid one earlier, unless the value
 * was unknown then.
 *
 * @param name the attribute that contains it
 * @throws ProviderError if it is not a reference with a digest
 */
export function imageOf(reference: string, name = "image"): DigestReference {
  const image = parseDigestReference(reference);
  if (!("problem" in image)) return image;
  throw invalidReference(name, image.problem);
}

/**
 * The error for an invalid image reference.
 *
 * @param name the attribute that contains it
 * @param problem predicate of a sentence, such as "must …"
 */
export function invalidReference(name: string, problem: string): ProviderError {
  return new ProviderError({
    summary: "Invalid Image Reference",
    detail: `The ${name} ${problem}.`,
    path: [name],
  });
}
