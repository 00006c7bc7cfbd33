import { createHash } from "node:crypto";
import type { Certificate } from "../certificate/certificate";
import { type DerElement, DerError, DerTag, constructedContext } from "../der/der-element";
import { readInteger, readObjectIdentifier, readOctetString } from "../der/read-value";

/**
 * The hash of a signer's certificate in a timestamp. It is signed, so that another certificate of the same name
 * and number cannot be presented as the signer's.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5035#section-4
 */
export interface CertificateId {
  readonly hash: string;
  readonly digest: Buffer;
  readonly issuerSerial?: { readonly issuer: Buffer; readonly serialNumber: bigint } | undefined;
}

/** The attributes SigningCertificate (ESSCertID) and SigningCertificateV2 (ESSCertIDv2). */
const attributes = {
  older: "1.2.840.113549.1.9.16.2.12",
  newer: "1.2.840.113549.1.9.16.2.47",
} as const;

/** The hash algorithms of SHA-2 by their object identifiers. */
export const sha2: Readonly<Record<string, string | undefined>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Reads the IDs of the signer's certificate from the signed attributes of a timestamp.
 *
 * @param attributeOf the value of a signed attribute
 * @throws DerError also if there is no ID, because RFC 3161 requires one
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4.2
 * @see https://www.rfc-editor.org/rfc/rfc5816#section-2.2.1
 */
export function readCertificateIds(
  attributeOf: (type: string) => DerElement | undefined,
): readonly CertificateId[] {
  const older = attributeOf(attributes.older);
  const newer = attributeOf(attributes.newer);
  const ids = [
    // Version 1 has no choice of hashes. The signature does not depend on the strength of this one.
    ...(older === undefined ? [] : [readId(older, "sha1")]),
    ...(newer === undefined ? [] : [readId(newer, "sha256")]),
  ];
  if (ids.length > 0) return ids;
  throw new DerError("INVALID_VALUE", "a timestamp must name the hash of its signer's certificate");
}

/** True if an ID is that of a certificate. */
export function isIdOf({ hash, digest, issuerSerial }: CertificateId, of: Certificate): boolean {
  return (
    createHash(hash).update(of.der).digest().equals(digest) &&
    (issuerSerial === undefined ||
      (issuerSerial.issuer.equals(of.issuer) && issuerSerial.serialNumber === of.serialNumber))
  );
}

/** The first ID is that of the signer; others would be those of its issuers. */
function readId(value: DerElement, defaultHash: "sha1" | "sha256"): CertificateId {
  const parts = [...(value.sequence()[0]?.sequence()[0]?.sequence() ?? [])];
  let hash: string | undefined = defaultHash;
  if (defaultHash === "sha256" && parts[0]?.tag === DerTag.sequence) {
    const [name] = parts.shift()?.sequence() ?? [];
    hash = name && sha2[readObjectIdentifier(name)];
  }
  const [digest, issuerSerial] = parts;
  if (hash === undefined || digest === undefined) {
    throw new DerError(
      "UNSUPPORTED",
      "a timestamp names its signer's certificate by an unknown hash",
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
    throw new DerError("INVALID_VALUE", "a timestamp names its signer in an unknown way");
  }
  return { issuer: issuer.bytes, serialNumber: readInteger(serialNumber) };
}
