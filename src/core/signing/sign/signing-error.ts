import { type Failure, failures } from "../../failure/failure";

/**
 * Signing or attesting failed for a reason other than a service or a registry: `ATTACHMENTS_MALFORMED` (the tag for
 * signatures contains something else), `TOO_MANY_LAYERS`, `PREDICATE` (invalid type, JSON or size), `PREDICATE_FILE`,
 * `UNVERIFIED` (the new signature does not verify), `NOT_ATTACHED` (a run that only looks found nothing).
 */
export type SigningError = Failure<
  | "ATTACHMENTS_MALFORMED"
  | "TOO_MANY_LAYERS"
  | "PREDICATE"
  | "PREDICATE_FILE"
  | "UNVERIFIED"
  | "NOT_ATTACHED"
>;
export const [signingError, isSigningError] = failures<SigningError["code"]>("SigningError");
