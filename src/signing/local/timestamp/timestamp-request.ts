import { DerElement } from "../../sigstore/der/der-element";
import { DerTag } from "../../sigstore/der/der-tag";
import {
  readBoolean,
  readInteger,
  readObjectIdentifier,
  readOctetString,
} from "../../sigstore/der/read-value";

/** What a client wants stamped (RFC 3161, 2.4.1). */
export interface TimestampRequest {
  /** MessageImprint in DER: it goes into the answer unchanged. */
  readonly imprint: Buffer;
  readonly nonce: bigint | undefined;
  /** Whether the answer is to hold the certificate. */
  readonly wantsCertificate: boolean;
}

const digestSizes: Readonly<Record<string, number>> = {
  "2.16.840.1.101.3.4.2.1": 32,
  "2.16.840.1.101.3.4.2.2": 48,
  "2.16.840.1.101.3.4.2.3": 64,
};

/** @throws DerError; Error with the reason when it is not a request that this authority takes */
export function parseTimestampRequest(bytes: Uint8Array): TimestampRequest {
  const [version, imprint, ...options] = DerElement.read(bytes).sequence();
  if (version === undefined || imprint === undefined || readInteger(version) !== 1n) {
    throw new Error("not a request of version 1");
  }
  const [algorithm, digest] = imprint.sequence();
  const [name] = algorithm?.sequence() ?? [];
  const size = name && digestSizes[readObjectIdentifier(name)];
  if (digest === undefined || size === undefined) throw new Error("an unknown digest algorithm");
  if (readOctetString(digest).byteLength !== size) throw new Error("a digest of a wrong length");
  const nonce = options.find(({ tag }) => tag === DerTag.integer);
  const wantsCertificate = options.find(({ tag }) => tag === DerTag.boolean);
  return {
    imprint: imprint.bytes,
    nonce: nonce && readInteger(nonce),
    wantsCertificate: wantsCertificate !== undefined && readBoolean(wantsCertificate),
  };
}
