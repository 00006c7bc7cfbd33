import { CodedError } from "../sigstore/coded-error";

/**
 * Signing or attesting failed for a reason other than a service or a registry: `ATTACHMENTS_MALFORMED` (the tag for
 * signatures contains something else), `TOO_MANY_LAYERS`, `PREDICATE` (invalid type, JSON or size), `PREDICATE_FILE`,
 * `UNVERIFIED` (the new signature does not verify), `NOT_ATTACHED` (a run that only looks found nothing).
 */
export class SigningError extends CodedError<
  | "ATTACHMENTS_MALFORMED"
  | "TOO_MANY_LAYERS"
  | "PREDICATE"
  | "PREDICATE_FILE"
  | "UNVERIFIED"
  | "NOT_ATTACHED"
> {
  override readonly name = "SigningError";
}
