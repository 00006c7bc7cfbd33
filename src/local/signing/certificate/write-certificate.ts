import { createHash } from "node:crypto";
import {
  derBitString,
  derBoolean,
  derContext,
  derContextPrimitive,
  derInteger,
  derNamedBits,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derSet,
  derTime,
  derUnsigned,
  derUtf8String,
} from "../../../core/signing/sigstore/der/write-der";
import type { SigningKey } from "../keys/signing-key";

/** The content of a certificate; parts that are copied unchanged are in DER. */
interface CertificateBody {
  readonly serial: Uint8Array;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly spki: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

export const ecdsaWithSha256 = derSequence(derObjectIdentifier("1.2.840.10045.4.3.2"));

/** Encodes TBSCertificate: signed by the issuer, and without SCTs signed by a log. */
export function writeCertificateBody(body: CertificateBody): Buffer {
  return derSequence(
    derContext(0, derInteger(2)),
    derUnsigned(body.serial),
    ecdsaWithSha256,
    body.issuer,
    derSequence(derTime(body.notBefore), derTime(body.notAfter)),
    body.subject,
    body.spki,
    derContext(3, derSequence(...body.extensions)),
  );
}

export function writeCertificate(body: CertificateBody, issuerKey: SigningKey): Buffer {
  const signed = writeCertificateBody(body);
  return derSequence(signed, ecdsaWithSha256, derBitString(issuerKey.sign(signed)));
}

/** Encodes a Name with an organization and a common name, if they are set. */
export function writeName(organization?: string, commonName?: string): Buffer {
  const part = (oid: string, text: string | undefined) =>
    text === undefined ? [] : [derSet(derSequence(derObjectIdentifier(oid), derUtf8String(text)))];
  return derSequence(...part("2.5.4.10", organization), ...part("2.5.4.3", commonName));
}

export function writeExtension(oid: string, value: Uint8Array, isCritical = false): Buffer {
  const flag = isCritical ? [derBoolean(true)] : [];
  return derSequence(derObjectIdentifier(oid), ...flag, derOctetString(value));
}

export function authorityExtension(pathLength?: number): Buffer {
  const limit = pathLength === undefined ? [] : [derInteger(pathLength)];
  return writeExtension("2.5.29.19", derSequence(derBoolean(true), ...limit), true);
}

const keyUsages = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;

/** KeyUsage (critical). */
export function keyUsageExtension(...usages: readonly (keyof typeof keyUsages)[]): Buffer {
  return writeExtension("2.5.29.15", derNamedBits(...usages.map((name) => keyUsages[name])), true);
}

const purposes = { codeSigning: "1.3.6.1.5.5.7.3.3", timeStamping: "1.3.6.1.5.5.7.3.8" } as const;

export function purposeExtension(purpose: keyof typeof purposes, isCritical = false): Buffer {
  return writeExtension(
    "2.5.29.37",
    derSequence(derObjectIdentifier(purposes[purpose])),
    isCritical,
  );
}

export function subjectKeyExtension(spki: Uint8Array): Buffer {
  return writeExtension("2.5.29.14", derOctetString(keyIdentifier(spki)));
}

export function authorityKeyExtension(issuerSpki: Uint8Array): Buffer {
  const value = derSequence(derContextPrimitive(0, keyIdentifier(issuerSpki)));
  return writeExtension("2.5.29.35", value);
}

/** SubjectAltName; critical, because the subject is empty. */
export function alternativeNameExtension(kind: "email" | "uri", name: string): Buffer {
  const value = derContextPrimitive(kind === "email" ? 1 : 6, Buffer.from(name, "latin1"));
  return writeExtension("2.5.29.17", derSequence(value), true);
}

/** The issuer of the identity token: in the old extension with raw bytes, and in the current one as DER. */
export function issuerExtensions(issuer: string): readonly Buffer[] {
  return [
    writeExtension("1.3.6.1.4.1.57264.1.1", Buffer.from(issuer)),
    textExtension("1.3.6.1.4.1.57264.1.8", issuer),
  ];
}

export const textExtension = (oid: string, text: string): Buffer =>
  writeExtension(oid, derUtf8String(text));

/** Signed certificate timestamps (RFC 6962 §3.3). */
export function sctExtension(scts: readonly Uint8Array[]): Buffer {
  const list = Buffer.concat(scts.flatMap((sct) => [uint16(sct.byteLength), sct]));
  const value = derOctetString(Buffer.concat([uint16(list.byteLength), list]));
  return writeExtension("1.3.6.1.4.1.11129.2.4.2", value);
}

/** Encodes an unsigned 16-bit integer in big-endian order. */
export function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function keyIdentifier(spki: Uint8Array): Buffer {
  return createHash("sha256").update(spki).digest().subarray(0, 20);
}
