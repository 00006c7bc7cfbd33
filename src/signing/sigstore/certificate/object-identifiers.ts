/** Dotted names that certificates of signers, logs and time-stamp authorities use. */
export const oid = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  certificatePolicies: "2.5.29.32",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  signedCertificateTimestamps: "1.3.6.1.4.1.11129.2.4.2",
  /** The issuer of the identity token as bare octets; superseded by `issuer`. */
  rawIssuer: "1.3.6.1.4.1.57264.1.1",
  /** The same as a UTF8String. */
  issuer: "1.3.6.1.4.1.57264.1.8",
  /** A SAN that is neither an address nor a URI. */
  userNameSan: "1.3.6.1.4.1.57264.1.7",
} as const;
