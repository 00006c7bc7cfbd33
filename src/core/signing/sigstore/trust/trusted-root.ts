import { type Failure, failures } from "../../../failure/failure";
import type { KeyObject } from "node:crypto";
import { parseJson, JsonFields } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import { ownValue } from "../../../json/plain-json";
import { Certificate, usageOf } from "../certificate/certificate";
import { certificateKey, readKey, isPublicKeyError } from "../certificate/public-key";
import { isDerError } from "../der/der-element";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The certificates and keys that a verification trusts. */
export interface TrustMaterial {
  readonly certificateAuthorities: readonly CertificateAuthority[];
  readonly transparencyLogs: readonly TrustedLog[];
  readonly certificateLogs: readonly TrustedLog[];
  readonly timestampAuthorities: readonly CertificateAuthority[];
}

export const noTrust: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

/** Everything in any of several trusted roots. */
export const uniteTrust = (roots: readonly TrustMaterial[]): TrustMaterial => ({
  certificateAuthorities: roots.flatMap((root) => root.certificateAuthorities),
  transparencyLogs: roots.flatMap((root) => root.transparencyLogs),
  certificateLogs: roots.flatMap((root) => root.certificateLogs),
  timestampAuthorities: roots.flatMap((root) => root.timestampAuthorities),
});

export interface CertificateAuthority {
  /** Trust anchors: certificates that are trusted without an issuer. */
  readonly anchors: readonly Certificate[];
  /** Certificates between a leaf and an anchor. */
  readonly intermediates: readonly Certificate[];
  /** The URL of its service, as in the trusted root. @default any */
  readonly uri?: string | undefined;
  readonly validity: Validity;
  /** The one of several trusted roots that lists it. @default there is only one */
  readonly root?: TrustMaterial | undefined;
}

/** An authority that is trusted at any time, of which all other certificates are intermediates. */
export const authorityOf = (
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
): CertificateAuthority => ({
  anchors,
  intermediates: certificates.filter((each) => !anchors.includes(each)),
  validity: {},
});

export interface TrustedLog {
  /** The log ID: SHA-256 of the public key, unless the trusted root sets another one, as it does for Rekor v2. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
  readonly validity: Validity;
  /** Empty if the trusted root has none: then no name in a checkpoint is accepted. @default any name is accepted */
  readonly baseUrl?: string | undefined;
}

export const urlOf = ({ baseUrl }: TrustedLog): string | undefined =>
  baseUrl === "" ? undefined : baseUrl;

/** The period in which something is trusted. A missing start or end means no limit. */
export interface Validity {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** True if a time is within a period, including its start and end. */
export function isWithin({ from, to }: Validity, time: Date): boolean {
  if (Number.isNaN(time.getTime())) return false;
  return (from === undefined || from <= time) && (to === undefined || time <= to);
}

/**
 * `FILE` (cannot be read), `DOCUMENT` (has an invalid format), `PUBLIC_INSTANCE` (could not be fetched), `SIGNING_CONFIG` (has
 * an invalid format, or lists no service that can be used).
 */
type TrustErrorCode = "FILE" | "DOCUMENT" | "PUBLIC_INSTANCE" | "SIGNING_CONFIG";

/** Trusted certificates and keys, or the services to sign with, could not be loaded. */
export type TrustError = Failure<TrustErrorCode>;
export const [trustError, isTrustError] = failures<TrustErrorCode>("TrustError");

/** Both forms of version 0.1, and that of version 0.2, whose members are all optional. */
const mediaTypes: readonly string[] = [
  "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
  "application/vnd.dev.sigstore.trustedroot.v0.1+json",
  "application/vnd.dev.sigstore.trustedroot.v0.2+json",
];

// Far more than the instances that one configuration trusts.
const rootsMax = 20;

/**
 * Parses a `trusted_root.json`, or several roots with one on each line, as `gh attestation trusted-root` prints them.
 *
 * @throws TrustError
 */
export function readTrustedRoots(text: string): TrustMaterial {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2 || !lines.every((line) => line.startsWith('{"'))) {
    return readTrustedRoot(text);
  }
  if (lines.length > rootsMax) {
    const problem = `has ${lines.length} trusted roots, more than the maximum of ${rootsMax}`;
    throw trustError("DOCUMENT", problem);
  }
  const roots = lines.map((line) => {
    const root = readTrustedRoot(line);
    const authorities = root.certificateAuthorities;
    return { ...root, certificateAuthorities: authorities.map((each) => ({ ...each, root })) };
  });
  return uniteTrust(roots);
}

/**
 * Parses a `trusted_root.json`. Unknown members are refused, as by other verifiers: a misspelled one could be the end of a
 * period of trust.
 *
 * @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_trustroot.proto
 */
export function readTrustedRoot(value: string | Uint8Array): TrustMaterial {
  try {
    const root = JsonFields.of(parseJson(value), "trusted root", [
      "mediaType",
      "tlogs",
      "certificateAuthorities",
      "ctlogs",
      "timestampAuthorities",
    ]);
    if (!mediaTypes.includes(root.string("mediaType"))) {
      throw root.shape("mediaType", "the media type of a trusted root of version 0.1 or 0.2");
    }
    return {
      certificateAuthorities: root
        .list("certificateAuthorities", authorityMembers)
        .map(readAuthority),
      timestampAuthorities: root.list("timestampAuthorities", authorityMembers).map(readAuthority),
      transparencyLogs: root.list("tlogs", logMembers).map(readLog),
      certificateLogs: root.list("ctlogs", logMembers).map(readLog),
    };
  } catch (error) {
    if (isJsonError(error) || isDerError(error) || isPublicKeyError(error)) {
      throw trustError("DOCUMENT", `not a trusted_root.json: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

const authorityMembers = ["subject", "uri", "certChain", "validFor", "operator"];
const logMembers = [
  "baseUrl",
  "hashAlgorithm",
  "publicKey",
  "logId",
  "checkpointKeyId",
  "operator",
];

function readAuthority(authority: JsonFields): CertificateAuthority {
  const subject = authority.optionalFields("subject", ["organization", "commonName"]);
  subject?.optionalString("organization");
  subject?.optionalString("commonName");
  authority.optionalString("operator");
  const chain = authority
    .fields("certChain", ["certificates"])
    .list("certificates", ["rawBytes"])
    .map((each) => new Certificate(each.base64("rawBytes")));
  const anchor = chain.at(-1);
  if (anchor === undefined) throw authority.shape("certChain", "a chain of certificates");
  for (const each of chain) {
    // Otherwise, errors would only appear when something is verified with it.
    certificateKey(each.publicKeyDer);
    usageOf(each);
  }
  return {
    anchors: [anchor],
    intermediates: chain.slice(0, -1),
    uri: authority.optionalString("uri"),
    validity: readValidity(authority.optionalFields("validFor", periodMembers)),
  };
}

/** The types of the logs' keys in `node:crypto`. */
const keyTypes: Readonly<Record<string, string>> = {
  PKIX_ECDSA_P256_SHA_256: "ec",
  PKIX_ECDSA_P384_SHA_384: "ec",
  PKIX_ECDSA_P521_SHA_512: "ec",
  PKIX_RSA_PKCS1V15_2048_SHA256: "rsa",
  PKIX_RSA_PKCS1V15_3072_SHA256: "rsa",
  PKIX_RSA_PKCS1V15_4096_SHA256: "rsa",
  PKCS1_RSA_PKCS1V5: "rsa",
  PKIX_ED25519: "ed25519",
};

function readLog(log: JsonFields): TrustedLog {
  if (log.string("hashAlgorithm") !== "SHA2_256") throw log.shape("hashAlgorithm", "SHA2_256");
  const key = log.fields("publicKey", ["rawBytes", "keyDetails", "validFor"]);
  const details = key.string("keyDetails");
  const publicKey = readKey(
    key.base64("rawBytes"),
    details.startsWith("PKCS1_") ? "pkcs1" : "spki",
  );
  if (ownValue(keyTypes, details) !== publicKey.asymmetricKeyType) {
    throw key.shape(
      "keyDetails",
      `the type of the key, one of ${Object.keys(keyTypes).join(", ")}`,
    );
  }
  // Without a start, the log would be trusted at all times.
  const validity = readValidity(key.fields("validFor", periodMembers));
  if (validity.from === undefined) throw key.shape("validFor", "a period with a start");
  const id = log.fields("logId", ["keyId"]).base64("keyId");
  if (id.byteLength === 0) throw log.shape("logId", "an ID that is not empty");
  log.optionalString("operator");
  log.optionalFields("checkpointKeyId", ["keyId"])?.base64("keyId");
  return {
    id,
    publicKey,
    validity,
    baseUrl: log.optionalString("baseUrl") ?? "",
  };
}

const periodMembers = ["start", "end"];

/** Reads a period of protobuf's `TimeRange`. */
export function readValidity(period: JsonFields | undefined): Validity {
  return { from: period && readDate(period, "start"), to: period && readDate(period, "end") };
}

/** Reads a time of RFC 3339. JavaScript alone would take 30 February for 2 March. */
function readDate(period: JsonFields, name: string): Date | undefined {
  const value = period.optionalString(name);
  if (value === undefined) return undefined;
  const pattern =
    /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
  const [, local = ""] = pattern.exec(value) ?? [];
  const date = new Date(value);
  const inUtc = new Date(`${local}Z`);
  if (Number.isNaN(inUtc.getTime()) || !inUtc.toISOString().startsWith(local)) {
    throw period.shape(name, "a time such as 2024-01-31T00:00:00Z");
  }
  return date;
}
