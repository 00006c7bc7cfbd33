import { ProviderError } from "../../provider-kit";
import { type DigestReference, parseDigestReference } from "../oci/reference/digest-reference";

/**
 * The image that a resource is about. The rules refuse a wrong one while planning, unless it was unknown
 * then.
 */
export function imageOf(text: string, name = "image"): DigestReference {
  const image = parseDigestReference(text);
  if (!("problem" in image)) return image;
  throw invalidReference(name, image.problem);
}

/** What is wrong with a reference, as the rest of a sentence that begins with its attribute. */
export function invalidReference(name: string, problem: string): ProviderError {
  return new ProviderError({
    summary: "Invalid Image Reference",
    detail: `The ${name} ${problem}.`,
    path: [name],
  });
}
