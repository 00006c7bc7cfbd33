import { ProviderError } from "../../provider-kit";

const summaries: Readonly<Record<string, string>> = {
  NO_IDENTITY: "No Identity To Sign With",
  IDENTITY: "Identity Token Cannot Be Used",
  CERTIFICATE_AUTHORITY: "Refused By The Certificate Authority",
  TRANSPARENCY_LOG: "Refused By The Transparency Log",
  TIME_STAMP: "Refused By The Time-Stamp Authority",
  IMAGE_MISSING: "Image Not Found",
  SOURCE_MISSING: "Image Not Found",
  UNVERIFIED: "What Was Signed Does Not Verify",
  PREDICATE: "Invalid Predicate",
  PREDICATE_FILE: "Invalid Predicate File",
  UNAUTHORIZED: "Registry Wants Credentials",
  DENIED: "Registry Denies Access",
  CREDENTIALS: "Registry Credentials Cannot Be Used",
  UNSAFE: "Registry Led Astray",
  WRONG_CONTENT: "Registry Gave Other Content",
  CONTENTION: "Others Keep Writing To The Same Image",
  DEADLINE: "Operation Took Too Long",
  CANCELLED: "Operation Was Interrupted",
  FILE: "Trusted Root Cannot Be Used",
  DOCUMENT: "Trusted Root Cannot Be Used",
  PUBLIC_INSTANCE: "Public Trusted Root Cannot Be Fetched",
};

const cures: Readonly<Record<string, string>> = {
  NO_IDENTITY:
    " Set identity_token (or SIGSTORE_ID_TOKEN) to a token for the audience sigstore, run where GitHub " +
    "Actions gives one, or set skip_without_identity to leave images unsigned.",
  DEADLINE: " The provider's timeout says how long it may take.",
  UNAUTHORIZED: " Log in with `docker login`, or give the provider a registry block.",
};

/** The error of an operation on an image as Terraform shows it; what has no code is a bug. */
export function signingFailure(error: unknown, attempt: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    return error;
  if (error instanceof ProviderError) return error;
  const { code } = error;
  const said = error.message.replace(/[.\s]+$/, "");
  return new ProviderError({
    summary: summaries[code] ?? "Operation On An Image Failed",
    detail: `${attempt} failed: ${said}.${cures[code] ?? ""}`,
    cause: error,
  });
}

/** Runs an operation so that its error is one that Terraform shows well. */
export async function explained<T>(attempt: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw signingFailure(error, attempt);
  }
}
