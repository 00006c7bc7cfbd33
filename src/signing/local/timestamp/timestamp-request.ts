import { DerElement } from "../../sigstore/der/der-element";
import { DerTag } from "../../sigstore/der/der-tag";
import {
  readBoolean,
  readInteger,
  readObjectIdentifier,
  readOctetString,
} from "../../sigstore/der/read-value";

/** A request for a timestamp (RFC 3161 §2.4.1). */
export interface TimestampRequest {
  /** MessageImprint in DER, copied unchanged to the response. */
  readonly imprint: Buffer;
  readonly nonce: bigint | undefined;
  /** Whether the response must contain the certificate. */
  readonly wantsCertificate: boolean;
}

const digestSizes: Readonly<Record<string, number>> = {
  "2.16.840.1.101.3.4.2.1": 32,
  "2.16.840.1.101.3.4.2.2": 48,
  "2.16.840.1.101.3.4.2.3": 64,
};

/**
 * Parses a request for a timestamp.
 *
 * @throws DerError if it is not valid DER; Error with the reason if the request is not supported
 */
export function parseTimestampRequest(bytes: Uint8Array): TimestampRequest {
  const [version, imprint, ...options] = DerElement.read(bytes).sequence();
  if (version === undefined || imprint === undefined || readInteger(version) !== 1n) {
    throw new Error("the request does not have version 1");
  }
  const [algorithm, digest] = imprint.sequence();
  const [name] = algorithm?.sequence() ?? [];
  const size = name && digestSizes[readObjectIdentifier(name)];
  if (digest === undefined || size === undefined)
    throw new Error("the digest algorithm is unknown");
  if (readOctetString(digest).byteLength !== size) throw new Error("the digest has a wrong length");
  const nonce = options.find(({ tag }) => tag === DerTag.integer);
  const wantsCertificate = options.find(({ tag }) => tag === DerTag.boolean);
  return {
    imprint: imprint.bytes,
    nonce: nonce && readInteger(nonce),
    wantsCertificate: wantsCertificate !== undefined && readBoolean(wantsCertificate),
  };
}
