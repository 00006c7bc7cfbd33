/** The reasons for a failed verification. */
export type VerificationCode =
  /** The bytes have an invalid format. */
  | "FORMAT"
  /** The content is something else, or about another image. */
  | "CLAIM"
  /** The signature does not match the key and the content. */
  | "SIGNATURE"
  /** The certificate, or its chain to a trusted certificate authority. */
  | "CERTIFICATE"
  /** The certificate is not in a trusted certificate transparency log. */
  | "CERTIFICATE_LOG"
  /** Another identity signed. */
  | "IDENTITY"
  /** The transparency log's signature, proof or entry. */
  | "TRANSPARENCY_LOG"
  | "TIMESTAMP"
  /** The time of the signature is not proven, or the certificate was not valid at that time. */
  | "TIME"
  /** The trust material lacks what the verification needs. */
  | "NO_TRUST";
