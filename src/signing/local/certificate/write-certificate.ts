import {
  derBitString,
  derContext,
  derInteger,
  derObjectIdentifier,
  derSequence,
  derSet,
  derTime,
  derUnsigned,
  derUtf8String,
} from "../../sigstore/der/write-der";
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

/** AlgorithmIdentifier of ECDSA with SHA-256. */
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

/** Encodes a certificate, signed by its issuer. */
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
