import type { AuthorityChain } from "./certificate/authority-chain";
import type { NoteKey } from "./keys/note-key";
import type { SigningKey } from "./keys/signing-key";
import type { LocalSigningAddresses } from "./local-signing";

/** The services' URLs, certificates and keys. */
export interface TrustedParts {
  readonly addresses: LocalSigningAddresses;
  readonly certificateAuthority: AuthorityChain;
  readonly timestampAuthority: AuthorityChain;
  readonly ctLog: SigningKey;
  readonly transparencyLog: SigningKey;
  /** Version 2 of the log, at the same URL. */
  readonly tiledLog: NoteKey;
}

/** The content of `trusted_root.json`: trusted certificates and keys, and since when they are trusted. */
export function trustedRoot(parts: TrustedParts): unknown {
  const { addresses, certificateAuthority, timestampAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const log = (baseUrl: string, key: SigningKey | NoteKey) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: key.spki.toString("base64"),
      keyDetails: "origin" in key ? "PKIX_ED25519" : "PKIX_ECDSA_P256_SHA_256",
      validFor: { start },
    },
    logId: { keyId: key.id.toString("base64") },
  });
  const authority = (uri: string, commonName: string, chain: AuthorityChain) => ({
    subject: { organization: "trivet.local", commonName },
    uri,
    certChain: {
      certificates: chain.certificates.map((der) => ({ rawBytes: der.toString("base64") })),
    },
    validFor: { start: chain.notBefore.toISOString() },
  });
  return {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [parts.transparencyLog, parts.tiledLog].map((key) =>
      log(addresses.transparencyLog, key),
    ),
    certificateAuthorities: [
      authority(
        addresses.certificateAuthority,
        "local certificate authority",
        certificateAuthority,
      ),
    ],
    ctlogs: [log(addresses.certificateAuthority, parts.ctLog)],
    timestampAuthorities: [
      authority(addresses.timestampAuthority, "local timestamp authority", timestampAuthority),
    ],
  };
}

/**
 * The content of `signing_config.json`: the URLs of the services.
 *
 * @param logVersion of the transparency log's API. Of the other services it is 1
 */
export function signingConfig(parts: TrustedParts, logVersion: 1 | 2): unknown {
  const { addresses, certificateAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const services = (url: string, majorApiVersion = 1) => [
    { url, majorApiVersion, validFor: { start }, operator: "trivet.local" },
  ];
  return {
    mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
    caUrls: services(addresses.certificateAuthority),
    oidcUrls: services(addresses.tokenIssuer),
    rekorTlogUrls: services(addresses.transparencyLog, logVersion),
    rekorTlogConfig: { selector: "ANY" },
    tsaUrls: services(addresses.timestampAuthority),
    tsaConfig: { selector: "ANY" },
  };
}
