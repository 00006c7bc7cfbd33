import type { CallContext } from "../../../http/call-context";
import type { DigestReference } from "../../reference/digest-reference";
import type { Written } from "../inspect/written";
import type { Conflict, SignatureFormat, SigningServices } from "./signing-services";

export interface SignRequest {
  readonly image: DigestReference;
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** Base address of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base address of the transparency log. */
  readonly rekorUrl: string;
  /** What was written before: known as ours without asking who we are. */
  readonly previous?: Written | undefined;
}

/**
 * Signs an image.
 *
 * @throws SigningError | ServiceError | RegistryError
 */
export function signImage(
  _request: SignRequest,
  _services: SigningServices,
  _context: CallContext,
): Promise<Written> {
  return Promise.reject(new Error("not there yet"));
}
