import { createHash } from "node:crypto";
import {
  derContext,
  derGeneralizedTime,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derSet,
  derUnsigned,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import type { SigningKey } from "../../../../../src/local/signing/keys/signing-key";

/** What may be unlike in a timestamp. */
export interface StampProps {
  readonly time: Date;
  readonly key: SigningKey;
  /** The signer's certificate, of which the timestamp names the hash. */
  readonly certificate: Buffer;
  /** The name and the number by which the timestamp names its signer. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  /** Certificates in the timestamp. @default none */
  readonly presented?: readonly Buffer[];
  /** The attributes that name the hash of the signer's certificate. @default that of version 2 */
  readonly certificateAttributes?: readonly Buffer[];
  /** Changes the fields of the signed information. @default no change */
  readonly changed?: (fields: readonly Buffer[]) => readonly Buffer[];
  /** The tag of the signed attributes. @default 0 */
  readonly attributesTag?: number;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const sha256Algorithm = derSequence(derObjectIdentifier("2.16.840.1.101.3.4.2.1"));
const ecdsaWithSha256 = derSequence(derObjectIdentifier("1.2.840.10045.4.3.2"));
const tstInfo = "1.2.840.113549.1.9.16.1.4";

export const attribute = (type: string, value: Uint8Array): Buffer =>
  derSequence(derObjectIdentifier(type), derSet(value));

/** SigningCertificateV2 (RFC 5035) with the SHA-256 of a certificate. */
export const certificateAttribute = (certificate: Buffer): Buffer =>
  attribute(
    "1.2.840.113549.1.9.16.2.47",
    derSequence(derSequence(derSequence(derOctetString(sha256(certificate))))),
  );

/** SigningCertificate (RFC 2634) with the SHA-1 of a certificate. */
export const olderCertificateAttribute = (certificate: Buffer): Buffer =>
  attribute(
    "1.2.840.113549.1.9.16.2.12",
    derSequence(
      derSequence(derSequence(derOctetString(createHash("sha1").update(certificate).digest()))),
    ),
  );

/** A TimeStampResp (RFC 3161) over bytes, written without the code that it tests. */
export function writeStamp(bytes: Buffer, props: StampProps): Buffer {
  const { time, key, certificate, issuer, serial, presented = [] } = props;
  const { certificateAttributes = [certificateAttribute(certificate)] } = props;
  const { changed = (fields) => fields, attributesTag = 0 } = props;
  const fields = [
    derInteger(1),
    derObjectIdentifier("1.3.6.1.4.1.57264.2"),
    derSequence(sha256Algorithm, derOctetString(sha256(bytes))),
    derInteger(7),
    derGeneralizedTime(time),
  ];
  const info = derSequence(...changed(fields));
  const attributes = [
    attribute("1.2.840.113549.1.9.3", derObjectIdentifier(tstInfo)),
    attribute("1.2.840.113549.1.9.4", derOctetString(sha256(info))),
    ...certificateAttributes,
  ].toSorted((a, b) => Buffer.compare(a, b));
  const signer = derSequence(
    derInteger(1),
    derSequence(issuer, derUnsigned(serial)),
    sha256Algorithm,
    derContext(attributesTag, ...attributes),
    ecdsaWithSha256,
    derOctetString(key.sign(derSet(...attributes))),
  );
  const content = derSequence(
    derInteger(3),
    derSet(sha256Algorithm),
    derSequence(derObjectIdentifier(tstInfo), derContext(0, derOctetString(info))),
    ...(presented.length > 0 ? [derContext(0, ...presented)] : []),
    derSet(signer),
  );
  const token = derSequence(derObjectIdentifier("1.2.840.113549.1.7.2"), derContext(0, content));
  return derSequence(derSequence(derInteger(0)), token);
}
