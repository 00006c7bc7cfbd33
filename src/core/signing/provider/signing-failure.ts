import { ProviderError } from "../../provider-kit";
import { printableLine } from "../../redaction/printable";
import { type DigestReference, parseDigestReference } from "../oci/reference/image-name";

const summaries: Readonly<Record<string, string>> = {
  NO_IDENTITY: "No Identity To Sign With",
  IDENTITY: "Identity Token Cannot Be Used",
  KEY: "Signing Key Cannot Be Used",
  KEY_PASSWORD: "Signing Key Cannot Be Decrypted",
  KEY_SERVICE: "Refused By The Key-Management Service",
  CERTIFICATE_AUTHORITY: "Refused By The Certificate Authority",
  TRANSPARENCY_LOG: "Refused By The Transparency Log",
  TIMESTAMP: "Refused By The Timestamp Authority",
  IMAGE_MISSING: "Image Not Found",
  SIGNATURES: "Signatures Cannot Be Copied",
  PLATFORMS: "Platforms Cannot Be Copied",
  UNVERIFIED: "New Signature Does Not Verify",
  PREDICATE: "Invalid Predicate",
  PREDICATE_FILE: "Invalid Predicate File",
  UNAUTHORIZED: "Registry Requires Credentials",
  DENIED: "Registry Denies Access",
  RATE_LIMITED: "Registry Limits The Rate Of Requests",
  MEDIA_TYPE: "Registry Does Not Accept The Media Type",
  CREDENTIALS: "Registry Credentials Cannot Be Used",
  UNSAFE: "Registry Redirected To Another Host",
  WRONG_CONTENT: "Content Does Not Match Its Digest",
  LAYOUT: "Image Layout Cannot Be Used",
  CONTENTION: "Too Many Concurrent Writers",
  DEADLINE: "Operation Timed Out",
  CANCELLED: "Operation Interrupted",
  FILE: "Trusted Root Cannot Be Used",
  DOCUMENT: "Trusted Root Cannot Be Used",
  SIGNING_CONFIG: "Signing Config Cannot Be Used",
  PUBLIC_INSTANCE: "Public Instance Cannot Be Reached",
};

const fixes: Readonly<Record<string, string>> = {
  NO_IDENTITY:
    " Set identity_token (or SIGSTORE_ID_TOKEN) to a token for the audience sigstore, run where one is issued " +
    "(such as a GitHub Actions job with the permission id-token: write), or set skip_without_identity to leave images " +
    "unsigned.",
  DEADLINE: " To allow more time, increase the provider's timeout.",
  MEDIA_TYPE:
    " Allow this media type in the registry's settings, convert the image to the OCI format, or use another registry.",
  RATE_LIMITED:
    " Apply again later: what has been written is kept. Many registries allow more requests after `docker login`.",
  UNAUTHORIZED: " Log in with `docker login`, or add a registry block to the provider.",
};

/**
 * Converts the error of an operation on an image into a diagnostic for Terraform. Errors without a code are bugs, and
 * are returned unchanged.
 *
 * @param attempt what failed, such as `Signing registry/repository@sha256:…`
 */
export function signingFailure(error: unknown, attempt: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    return error;
  if (error instanceof ProviderError) return error;
  const { code } = error;
  // The message may quote a media type, a name or an annotation, which must not add lines to it.
  const reason = printableLine(error.message).replace(/\.+$/, "");
  return new ProviderError({
    summary: summaries[code] ?? "Image Operation Failed",
    detail: `${attempt} failed: ${reason}.${fixes[code] ?? ""}`,
    cause: error,
  });
}

/** Runs an operation and converts its error with {@link signingFailure}. */
export async function explained<T>(attempt: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw signingFailure(error, attempt);
  }
}

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
