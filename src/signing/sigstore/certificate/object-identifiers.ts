/**
 * Object identifiers in certificates of signers and timestamp authorities.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.2
 */
export const oid = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  certificatePolicies: "2.5.29.32",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  signedCertificateTimestamps: "1.3.6.1.4.1.11129.2.4.2",
  /** The issuer of the identity token as raw bytes; superseded by `issuer`. */
  rawIssuer: "1.3.6.1.4.1.57264.1.1",
  /** The issuer of the identity token as a UTF8String. */
  issuer: "1.3.6.1.4.1.57264.1.8",
  /** A subject alternative name that is neither an email address nor a URI. */
  userNameSan: "1.3.6.1.4.1.57264.1.7",
} as const;
