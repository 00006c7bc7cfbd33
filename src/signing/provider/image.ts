import { ProviderError } from "../../provider-kit";
import { type DigestReference, parseDigestReference } from "../reference/digest-reference";

/**
 * The image that a resource is about. The rules refuse a wrong one while planning, unless it was unknown
 * then.
 */
export function imageOf(text: string, name = "image"): DigestReference {
  const image = parseDigestReference(text);
  if (!("problem" in image)) return image;
  throw new ProviderError({
    summary: "Invalid Image Reference",
    detail: `The ${name} ${image.problem}.`,
    path: [name],
  });
}
