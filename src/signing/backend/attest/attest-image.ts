import type { CallContext } from "../../../http/call-context";
import type { DigestReference } from "../../reference/digest-reference";
import type { Written } from "../inspect/written";
import type { Conflict, SignatureFormat, SigningServices } from "../sign/signing-services";

export interface AttestRequest {
  readonly image: DigestReference;
  /** At least one; of one type only one, unless `conflict` is `APPEND`. */
  readonly predicates: readonly PredicateText[];
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** What the log keeps of legacy attestations; bundles are always logged as `dsse`. */
  readonly entryType: "intoto" | "dsse";
  /** Base address of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base address of the transparency log. */
  readonly rekorUrl: string;
  /** What was written before: known as ours without asking who we are. */
  readonly previous?: Written | undefined;
}

export interface PredicateText {
  /** A short name, or a URI. */
  readonly type: string;
  readonly json: string;
}

/**
 * Attests predicates of an image.
 *
 * @throws SigningError | ServiceError | RegistryError
 */
export function attestImage(
  _request: AttestRequest,
  _services: SigningServices,
  _context: CallContext,
): Promise<Written> {
  return Promise.reject(new Error("not there yet"));
}
