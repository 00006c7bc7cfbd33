import { ProviderError } from "../../provider-kit";
import { printableLine } from "../../redaction/printable";
import { type DigestReference, parseDigestReference } from "../oci/reference/image-name";

/** The summary, the advice, and the attribute to blame, if there is one: the message is then a sentence about it. */
type Report = readonly [summary: string, advice?: string | undefined, attribute?: string];

const unreached = "Check the address, the network and the proxy settings.";

/** What Terraform shows for the codes of failures. */
const reports: Readonly<Partial<Record<string, Report>>> = {
  NO_IDENTITY: [
    "No Identity To Sign With",
    "Set identity_token (or SIGSTORE_ID_TOKEN) to a token for the audience sigstore, run where one is issued " +
      "(such as a GitHub Actions job with the permission id-token: write), or set skip_without_identity to leave images " +
      "unsigned.",
  ],
  IDENTITY: ["Identity Token Cannot Be Used"],
  KEY: ["Signing Key Cannot Be Used"],
  KEY_PASSWORD: ["Signing Key Cannot Be Decrypted"],
  KEY_SERVICE: ["Refused By The Key-Management Service"],
  CERTIFICATE_AUTHORITY: ["Refused By The Certificate Authority"],
  TRANSPARENCY_LOG: ["Refused By The Transparency Log"],
  TIMESTAMP: ["Refused By The Timestamp Authority"],
  NO_ANSWER: ["Service Not Reached", unreached],
  BROKEN_OFF: ["Service Not Reached", unreached],
  TIMEOUT: ["Service Not Reached", unreached],
  REDIRECT: ["Service Redirected To Another Host"],
  IMAGE_MISSING: ["Image Not Found"],
  SIGNATURES: ["Signatures Cannot Be Copied"],
  PLATFORMS: ["Platforms Cannot Be Copied"],
  UNVERIFIED: ["New Signature Does Not Verify"],
  PREDICATE: ["Invalid Predicate"],
  PREDICATE_FILE: ["Invalid Predicate File"],
  TRANSPORT: ["Registry Not Reached", unreached],
  UNAUTHORIZED: [
    "Registry Requires Credentials",
    "Log in with `docker login`, or add a registry block to the provider.",
  ],
  DENIED: ["Registry Denies Access"],
  RATE_LIMITED: [
    "Registry Limits The Rate Of Requests",
    "Apply again later: what has been written is kept. Many registries allow more requests after `docker login`.",
  ],
  MEDIA_TYPE: [
    "Registry Does Not Accept The Media Type",
    "Allow this media type in the registry's settings, convert the image to the OCI format, or use another registry.",
  ],
  CREDENTIALS: ["Registry Credentials Cannot Be Used"],
  UNSAFE: ["Registry Redirected To Another Host"],
  WRONG_CONTENT: ["Content Does Not Match Its Digest"],
  LAYOUT: ["Image Layout Cannot Be Used"],
  CONTENTION: ["Too Many Concurrent Writers"],
  DEADLINE: ["Operation Timed Out", "To allow more time, increase the provider's timeout."],
  CANCELLED: ["Operation Interrupted"],
  FILE: ["Trusted Root Cannot Be Used"],
  DOCUMENT: ["Trusted Root Cannot Be Used"],
  SIGNING_CONFIG: ["Signing Config Cannot Be Used"],
  PUBLIC_INSTANCE: ["Public Instance Cannot Be Reached"],
  INVALID_IMAGE: ["Invalid Image Reference", undefined, "image"],
  INVALID_POLICY: ["Invalid Policy", undefined, "policy"],
  NO_ENGINE: ["Policy Engine Not Found", undefined, "policy"],
  NO_IMAGE: ["Image Not Found", undefined, "image"],
};

/**
 * Converts the failure of an operation on an image into a diagnostic for Terraform. Errors without a code are bugs, and
 * are returned unchanged.
 *
 * @param attempt what failed, such as `Signing registry/repository@sha256:…`
 * @param timeoutAdvice how to allow more time. @default with the provider's timeout
 */
export function signingFailure(error: unknown, attempt: string, timeoutAdvice?: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    return error;
  if (error instanceof ProviderError) return error;
  const { code, message } = error;
  const [summary = "Image Operation Failed", usual, attribute] = reports[code] ?? [];
  if (attribute !== undefined) {
    // The problems of a policy are a list.
    const detail = code === "INVALID_POLICY" ? message : sentences(message);
    return new ProviderError({ summary, detail, path: [attribute], cause: error });
  }
  const advice = code === "DEADLINE" ? (timeoutAdvice ?? usual) : usual;
  // The message may quote a media type, a name or an annotation, which must not add lines to it.
  const reason = printableLine(message).replace(/\.+$/, "");
  const detail = [`${attempt} failed: ${reason}.`, advice].filter(Boolean).join(" ");
  return new ProviderError({ summary, detail, cause: error });
}

const sentences = (message: string): string =>
  message.replace(/^./, (first) => first.toUpperCase()).replaceAll(/$/gm, ".");

/** Runs an operation and converts its failure with {@link signingFailure}. */
export async function explained<T>(
  attempt: string,
  run: () => Promise<T>,
  timeoutAdvice?: string,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw signingFailure(error, attempt, timeoutAdvice);
  }
}

/**
 * Parses the attribute `image` of a resource. Validation rejects an invalid reference earlier, unless the value
 * was unknown then.
 *
 * @throws ProviderError if it is not a reference with a digest
 */
export function imageOf(reference: string): DigestReference {
  const image = parseDigestReference(reference);
  if (!("problem" in image)) return image;
  throw invalidReference("image", image.problem);
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
