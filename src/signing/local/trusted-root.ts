import type { AuthorityChain } from "./certificate/authority-chain";
import type { SigningKey } from "./keys/signing-key";
import type { LocalSigningAddresses } from "./local-signing";

/** The services' URLs, certificates and keys. */
export interface TrustedParts {
  readonly addresses: LocalSigningAddresses;
  readonly certificateAuthority: AuthorityChain;
  readonly timestampAuthority: AuthorityChain;
  readonly ctLog: SigningKey;
  readonly transparencyLog: SigningKey;
}

/** The content of `trusted_root.json`: trusted certificates and keys, and since when they are trusted. */
export function trustedRoot(parts: TrustedParts): unknown {
  const { addresses, certificateAuthority, timestampAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const log = (baseUrl: string, key: SigningKey) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: key.spki.toString("base64"),
      keyDetails: "PKIX_ECDSA_P256_SHA_256",
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
    tlogs: [log(addresses.transparencyLog, parts.transparencyLog)],
    certificateAuthorities: [
      authority(
        addresses.certificateAuthority,
        "local certificate authority",
        certificateAuthority,
      ),
    ],
    ctlogs: [log(addresses.certificateAuthority, parts.ctLog)],
    timestampAuthorities: [
      authority(addresses.timestampAuthority, "local time-stamp authority", timestampAuthority),
    ],
  };
}

/** The content of `signing_config.json`: the URLs of the services, with version 1 of each API. */
export function signingConfig(parts: TrustedParts): unknown {
  const { addresses, certificateAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const services = (url: string) => [
    { url, majorApiVersion: 1, validFor: { start }, operator: "trivet.local" },
  ];
  return {
    mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
    caUrls: services(addresses.certificateAuthority),
    oidcUrls: services(addresses.tokenIssuer),
    rekorTlogUrls: services(addresses.transparencyLog),
    rekorTlogConfig: { selector: "ANY" },
    tsaUrls: services(addresses.timestampAuthority),
    tsaConfig: { selector: "ANY" },
  };
}
