import { Certificate } from "../certificate/certificate";
import { constructedContext, DerElement, DerTag, derError } from "../der/der-element";
import {
  readAlgorithm,
  readInteger,
  readObjectIdentifier,
  readOctetString,
  readTime,
} from "../der/read-value";
import { derElement } from "../der/write-der";
import { checkPresentedCount } from "./certificate-chain";
import { createHash } from "node:crypto";

/**
 * The contents of an RFC 3161 response, and its signature.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4.2
 * @see https://www.rfc-editor.org/rfc/rfc5652#section-5
 */
export interface TimestampToken {
  readonly imprint: { readonly algorithm: string; readonly hash: Buffer };
  readonly time: Date;
  /** The nonce of the request, as DER. */
  readonly nonce: Buffer | undefined;
  readonly content: Buffer;
  /** The signed attributes as DER, and the values of two of them. */
  readonly signedAttributes: Buffer;
  readonly contentType: string;
  readonly messageDigest: Buffer;
  readonly digestAlgorithm: string;
  readonly signatureAlgorithm: string;
  readonly signature: Buffer;
  readonly signer: { readonly issuer: Buffer; readonly serialNumber: bigint };
  /** The signed hashes of the signer's certificate; at least one. */
  readonly certificateIds: readonly CertificateId[];
  readonly certificates: readonly Certificate[];
}

/** The content type of TSTInfo (id-ct-TSTInfo). */
export const timestampContentType = "1.2.840.113549.1.9.16.1.4";

const signedData = "1.2.840.113549.1.7.2";
const contentTypeAttribute = "1.2.840.113549.1.9.3";
const messageDigestAttribute = "1.2.840.113549.1.9.4";

/** Maximum size of a response, in bytes; real ones have a few thousand. */
const maxBytes = 131_072;

/**
 * Reads a full response (TimeStampResp), as returned by services and stored in bundles.
 *
 * @throws DerError, also if the response contains no timestamp; VerificationError if it contains too many
 *   certificates
 */
export function readTimestamp(response: Uint8Array): TimestampToken {
  if (response.byteLength > maxBytes) {
    throw derError(
      "UNSUPPORTED",
      `the timestamp has ${response.byteLength} bytes, more than the maximum of ${maxBytes}`,
    );
  }
  const [status, token] = DerElement.read(response).sequence();
  const granted = status && readInteger(status.expect(DerTag.sequence).child());
  // Status 1 means a modified timestamp, but the modification is not signed.
  if (granted !== 0n || token === undefined) {
    throw derError("INVALID_VALUE", "the timestamp authority did not grant a timestamp");
  }
  const [type, wrapped] = token.sequence();
  if (!type || !wrapped || readObjectIdentifier(type) !== signedData) {
    throw derError("INVALID_VALUE", "a timestamp is not signed data");
  }
  const fields = wrapped.expect(constructedContext(0)).child().sequence();
  const [version, digests, encapsulated, ...rest] = fields;
  const [signerInfo, ...otherSigners] = rest.at(-1)?.set() ?? [];
  // The certificates are optional. Nothing else is accepted: neither revocation lists, nor certificates with another tag.
  const [listed, ...others] = rest.slice(0, -1);
  if (others.length > 0) {
    throw derError("UNSUPPORTED", "a timestamp has more than certificates and a signer");
  }
  if (!version || !digests || readInteger(version) !== 3n) {
    throw derError("UNSUPPORTED", "a timestamp is not signed data of version 3");
  }
  if (encapsulated === undefined || signerInfo === undefined || otherSigners.length > 0) {
    throw derError("INVALID_VALUE", "a timestamp must have exactly one signer");
  }
  const [contentType, content] = encapsulated.sequence();
  if (!contentType || !content || readObjectIdentifier(contentType) !== timestampContentType) {
    throw derError("INVALID_VALUE", "the signed data is not a timestamp");
  }
  const info = readOctetString(content.expect(constructedContext(0)).child());
  const signer = readSigner(signerInfo);
  const algorithms = digests.set().map(readAlgorithm);
  if (!algorithms.includes(signer.digestAlgorithm)) {
    throw derError("INVALID_VALUE", "a timestamp does not list the hash algorithm of its signer");
  }
  const certificates = listed?.expect(constructedContext(0)).children() ?? [];
  checkPresentedCount(certificates.length, "timestamp");
  return {
    ...readInfo(info),
    ...signer,
    content: info,
    certificates: certificates.map(({ bytes }) => new Certificate(bytes)),
  };
}

function readInfo(info: Buffer): Pick<TimestampToken, "imprint" | "time" | "nonce"> {
  const [, , imprint, , time, ...optional] = DerElement.read(info).sequence();
  if (imprint === undefined || time === undefined) {
    throw derError("TRUNCATED", "a timestamp lacks its time");
  }
  const [algorithm, hash] = imprint.sequence();
  if (algorithm === undefined || hash === undefined) {
    throw derError("TRUNCATED", "a timestamp lacks its imprint");
  }
  return {
    imprint: {
      algorithm: readAlgorithm(algorithm),
      hash: readOctetString(hash),
    },
    time: readTime(time.expect(DerTag.generalizedTime)),
    nonce: optional.find(({ tag }) => tag === DerTag.integer)?.bytes,
  };
}

type Signer = Omit<TimestampToken, "imprint" | "time" | "nonce" | "content" | "certificates">;

function readSigner(info: DerElement): Signer {
  const [version, name, digestAlgorithm, attributes, signatureAlgorithm, signature] =
    info.sequence();
  if (!name || !digestAlgorithm || !attributes || !signatureAlgorithm || !signature) {
    throw derError("TRUNCATED", "the signer of a timestamp lacks some of its fields");
  }
  if (!version || readInteger(version) !== 1n) {
    throw derError("UNSUPPORTED", "the signer of a timestamp is not of version 1");
  }
  const [issuer, serialNumber] = name.sequence();
  if (issuer === undefined || serialNumber === undefined) {
    throw derError("TRUNCATED", "a timestamp does not identify its signer");
  }
  attributes.expect(constructedContext(0));
  return {
    // The signature covers them with the tag SET instead of the context tag (RFC 5652 §5.4).
    signedAttributes: derElement(DerTag.set, attributes.content),
    contentType: readObjectIdentifier(attribute(attributes, contentTypeAttribute)),
    messageDigest: readOctetString(attribute(attributes, messageDigestAttribute)),
    digestAlgorithm: readAlgorithm(digestAlgorithm),
    signatureAlgorithm: readAlgorithm(signatureAlgorithm),
    signature: readOctetString(signature),
    signer: { issuer: issuer.bytes, serialNumber: readInteger(serialNumber) },
    certificateIds: readCertificateIds(attributes),
  };
}

function attribute(attributes: DerElement, type: string): DerElement {
  const value = optionalAttribute(attributes, type);
  if (value !== undefined) return value;
  throw derError("INVALID_VALUE", `a timestamp must have the attribute ${type} once`);
}

function optionalAttribute(attributes: DerElement, type: string): DerElement | undefined {
  const values = attributes
    .children()
    .map((each) => each.expect(DerTag.sequence))
    .filter((each) => readObjectIdentifier(each.child()) === type)
    .map((each) => each.child(1).set());
  if (values.length === 0) return undefined;
  const [value, ...more] = values[0] ?? [];
  if (values.length !== 1 || value === undefined || more.length > 0) {
    throw derError("INVALID_VALUE", `a timestamp must have the attribute ${type} once`);
  }
  return value;
}

/**
 * The hash of a signer's certificate in a timestamp. It is signed, so that another certificate of the same name
 * and number cannot be presented as the signer's.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5035#section-4
 */
interface CertificateId {
  readonly hash: string;
  readonly digest: Buffer;
  readonly issuerSerial?: { readonly issuer: Buffer; readonly serialNumber: bigint } | undefined;
}

/** SigningCertificate (ESSCertID). */
const certificateAttribute = "1.2.840.113549.1.9.16.2.12";
/** SigningCertificateV2 (ESSCertIDv2). */
const certificateAttributeV2 = "1.2.840.113549.1.9.16.2.47";

/** The hash algorithms of SHA-2 by their object identifiers. */
export const sha2: Readonly<Record<string, string | undefined>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Reads the IDs of the signer's certificate from the signed attributes of a timestamp.
 *
 * @throws DerError also if there is no ID, because RFC 3161 requires one
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4.2
 * @see https://www.rfc-editor.org/rfc/rfc5816#section-2.2.1
 */
function readCertificateIds(attributes: DerElement): readonly CertificateId[] {
  const older = optionalAttribute(attributes, certificateAttribute);
  const newer = optionalAttribute(attributes, certificateAttributeV2);
  const ids = [
    // Version 1 has no choice of hashes. The signature does not depend on the strength of this one.
    ...(older === undefined ? [] : [readId(older, "sha1")]),
    ...(newer === undefined ? [] : [readId(newer, "sha256")]),
  ];
  if (ids.length > 0) return ids;
  throw derError("INVALID_VALUE", "a timestamp must contain the hash of its signer's certificate");
}

export function isIdOf({ hash, digest, issuerSerial }: CertificateId, of: Certificate): boolean {
  return (
    createHash(hash).update(of.der).digest().equals(digest) &&
    (issuerSerial === undefined ||
      (issuerSerial.issuer.equals(of.issuer) && issuerSerial.serialNumber === of.serialNumber))
  );
}

/** The first ID is the signer's; others would be its issuers'. */
function readId(value: DerElement, defaultHash: "sha1" | "sha256"): CertificateId {
  const parts = [...(value.sequence()[0]?.sequence()[0]?.sequence() ?? [])];
  let hash: string | undefined = defaultHash;
  if (defaultHash === "sha256" && parts[0]?.tag === DerTag.sequence) {
    const [name] = parts.shift()?.sequence() ?? [];
    hash = name && sha2[readObjectIdentifier(name)];
  }
  const [digest, issuerSerial] = parts;
  if (hash === undefined || digest === undefined) {
    throw derError(
      "UNSUPPORTED",
      "a timestamp identifies its signer's certificate by an unknown hash",
    );
  }
  return {
    hash,
    digest: readOctetString(digest),
    issuerSerial: issuerSerial && readIssuerSerial(issuerSerial),
  };
}

/** GeneralNames with one directory name, and the serial number. */
function readIssuerSerial(value: DerElement): CertificateId["issuerSerial"] {
  const [names, serialNumber] = value.sequence();
  const [name, ...others] = names?.sequence() ?? [];
  const [issuer] = name?.expect(constructedContext(4)).children() ?? [];
  if (serialNumber === undefined || issuer === undefined || others.length > 0) {
    throw derError("INVALID_VALUE", "a timestamp must identify its signer by one directory name");
  }
  return { issuer: issuer.bytes, serialNumber: readInteger(serialNumber) };
}
