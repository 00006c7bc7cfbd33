import { Certificate } from "../certificate/certificate";
import { DerError } from "../der/der-element";
import { JsonError } from "../../../json/json-error";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { PublicKeyError, readKey } from "../certificate/public-key";
import {
  TrustError,
  type CertificateAuthority,
  type TrustMaterial,
  type TrustedLog,
  type Validity,
} from "./trust-material";

/**
 * Parses a `trusted_root.json`.
 *
 * Keys of unknown types are skipped, so what they sign is not trusted.
 *
 * @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_trustroot.proto
 */
export function readTrustedRoot(value: string | Uint8Array): TrustMaterial {
  try {
    const root = JsonFields.of(parseJson(value), "trusted root");
    if (!root.string("mediaType").startsWith("application/vnd.dev.sigstore.trustedroot")) {
      throw root.shape("mediaType", "the media type of a trusted root");
    }
    return {
      certificateAuthorities: root.list("certificateAuthorities").map(readAuthority),
      timestampAuthorities: root.list("timestampAuthorities").map(readAuthority),
      transparencyLogs: root.list("tlogs").flatMap(readLog),
      certificateLogs: root.list("ctlogs").flatMap(readLog),
    };
  } catch (error) {
    if (
      error instanceof JsonError ||
      error instanceof DerError ||
      error instanceof PublicKeyError
    ) {
      throw new TrustError("DOCUMENT", `not a trusted_root.json: ${error.message}`, error);
    }
    throw error;
  }
}

function readAuthority(authority: JsonFields): CertificateAuthority {
  const chain = authority
    .fields("certChain")
    .list("certificates")
    .map((each) => new Certificate(each.base64("rawBytes")));
  const anchor = chain.at(-1);
  if (anchor === undefined) throw authority.shape("certChain", "a chain of certificates");
  return {
    anchors: [anchor],
    intermediates: chain.slice(0, -1),
    uri: authority.optionalString("uri"),
    validity: readValidity(authority.optionalFields("validFor")),
  };
}

const knownKeys = /^(?:PKIX_ECDSA_|PKIX_RSA_|PKCS1_RSA_|PKIX_ED25519)/;

function readLog(log: JsonFields): readonly TrustedLog[] {
  const key = log.fields("publicKey");
  const details = key.string("keyDetails");
  if (!knownKeys.test(details)) return [];
  const type = details.startsWith("PKCS1_") ? "pkcs1" : "spki";
  return [
    {
      // Newer trusted roots may state only the key ID of checkpoints. For Rekor v2 both are the same.
      id: (log.optionalFields("logId") ?? log.fields("checkpointKeyId")).base64("keyId"),
      publicKey: readKey(key.base64("rawBytes"), type),
      validity: readValidity(key.optionalFields("validFor")),
      baseUrl: log.optionalString("baseUrl"),
    },
  ];
}

/** Reads a period of protobuf's `TimeRange`. */
export function readValidity(period: JsonFields | undefined): Validity {
  return { from: period && readDate(period, "start"), to: period && readDate(period, "end") };
}

function readDate(period: JsonFields, name: string): Date | undefined {
  const value = period.optionalString(name);
  if (value === undefined) return undefined;
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
  const date = new Date(value);
  if (!pattern.test(value) || Number.isNaN(date.getTime())) {
    throw period.shape(name, "a time such as 2024-01-31T00:00:00Z");
  }
  return date;
}
