import { derSequence, derUnsigned } from "../der/write-der";

/**
 * Converts an ECDSA signature from the format of JSON Web Signatures (r and s of equal length) to DER.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7518#section-3.4
 */
export function derSignature(fixedSize: Buffer): Buffer {
  const half = fixedSize.byteLength >> 1;
  return derSequence(
    derUnsigned(fixedSize.subarray(0, half)),
    derUnsigned(fixedSize.subarray(half)),
  );
}
