import type { KeyObject } from "node:crypto";
import {
  constructedContext,
  DerElement,
  derError,
  DerTag,
  fromPem,
  primitiveContext,
} from "../der/der-element";
import {
  ascii,
  readAlgorithm,
  readBitString,
  readBoolean,
  readInteger,
  readNamedBits,
  readObjectIdentifier,
  readOctetString,
  readText,
  readTime,
  utf8,
} from "../der/read-value";
import { derElement, derSequence } from "../der/write-der";
import { certificateKey, isSignedBy } from "./public-key";

/**
 * Object identifiers in certificates of signers and timestamp authorities.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.2
 */
export const oid = {
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  extendedKeyUsage: "2.5.29.37",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  signedCertificateTimestamps: "1.3.6.1.4.1.11129.2.4.2",
  /** The issuer of the identity token as raw bytes; superseded by `issuer`. */
  rawIssuer: "1.3.6.1.4.1.57264.1.1",
  /** The issuer of the identity token as a UTF8String. */
  issuer: "1.3.6.1.4.1.57264.1.8",
  /** A subject alternative name that is neither an email address nor a URI. */
  userNameSan: "1.3.6.1.4.1.57264.1.7",
  /** Facts about a workflow of GitHub, as raw bytes. */
  workflowTrigger: "1.3.6.1.4.1.57264.1.2",
  workflowSha: "1.3.6.1.4.1.57264.1.3",
  workflowName: "1.3.6.1.4.1.57264.1.4",
  workflowRepository: "1.3.6.1.4.1.57264.1.5",
  workflowRef: "1.3.6.1.4.1.57264.1.6",
  /** Facts about a workflow of any service, as UTF8Strings. */
  sourceRepository: "1.3.6.1.4.1.57264.1.12",
  sourceCommit: "1.3.6.1.4.1.57264.1.13",
  buildTrigger: "1.3.6.1.4.1.57264.1.20",
} as const;

interface Extension {
  readonly critical: boolean;
  /** The DER in the octet string. */
  readonly value: Buffer;
}

/** Maximum size of a certificate, in bytes; real ones have about a thousand. */
const maxBytes = 32_768;

/**
 * An X.509 certificate of version 3, parsed strictly.
 *
 * @throws DerError if the bytes are not a valid certificate
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 */
export class Certificate {
  readonly der: Buffer;
  readonly serialNumber: bigint;
  /** The names as DER, the form in which they are compared. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKeyDer: Buffer;
  readonly extensions: ReadonlyMap<string, Extension>;

  readonly #tbs: DerElement;
  readonly #signatureAlgorithm: string;
  readonly #signature: Buffer;
  #key: KeyObject | undefined;

  constructor(der: Uint8Array) {
    if (der.byteLength > maxBytes) {
      throw derError(
        "UNSUPPORTED",
        `the certificate has ${der.byteLength} bytes, more than the maximum of ${maxBytes}`,
      );
    }
    // Copied, because the certificate outlives the buffers of a request.
    this.der = Buffer.from(der);
    const [tbs, algorithm, signature] = exactly(3, DerElement.read(this.der).sequence());
    this.#tbs = tbs.expect(DerTag.sequence);
    this.#signatureAlgorithm = readAlgorithm(algorithm);
    this.#signature = readBitString(signature);

    const [version, serial, inner, issuer, validity, subject, publicKey, ...rest] =
      this.#tbs.sequence();
    if (!version || !serial || !inner || !issuer || !validity || !subject || !publicKey) {
      throw derError("INVALID_VALUE", "the certificate lacks required fields");
    }
    if (readInteger(version.expect(constructedContext(0)).child()) !== 2n) {
      throw derError("UNSUPPORTED", "the certificate does not have version 3");
    }
    if (!inner.bytes.equals(algorithm.bytes)) {
      throw derError("INVALID_VALUE", "the certificate has two different signature algorithms");
    }
    this.serialNumber = readInteger(serial);
    this.issuer = issuer.expect(DerTag.sequence).bytes;
    this.subject = subject.expect(DerTag.sequence).bytes;
    const [notBefore, notAfter] = exactly(2, validity.sequence());
    this.notBefore = readTime(notBefore);
    this.notAfter = readTime(notAfter);
    this.publicKeyDer = publicKey.expect(DerTag.sequence).bytes;
    this.extensions = readExtensions(rest);
  }

  static fromPem(pem: string): readonly Certificate[] {
    return fromPem("CERTIFICATE", pem).map((der) => new Certificate(der));
  }

  get publicKey(): KeyObject {
    this.#key ??= certificateKey(this.publicKeyDer);
    return this.#key;
  }

  /** The value of an extension; undefined if the certificate does not have it. */
  extension(name: string): DerElement | undefined {
    const extension = this.extensions.get(name);
    return extension && DerElement.read(extension.value);
  }

  get isSelfIssued(): boolean {
    return this.subject.equals(this.issuer);
  }

  isIssuedBy(authority: Certificate): boolean {
    return (
      this.issuer.equals(authority.subject) &&
      isSignedBy(authority.publicKey, this.#signatureAlgorithm, this.#tbs.bytes, this.#signature)
    );
  }

  isValidAt(time: Date): boolean {
    // `notAfter` includes its whole second.
    return this.notBefore <= time && time.getTime() < this.notAfter.getTime() + 1000;
  }

  /** The signed part without one extension, as a certificate transparency log signs it. */
  tbsWithout(extension: string): Buffer {
    const fields = this.#tbs.sequence().map((field) => {
      if (field.tag !== constructedContext(3)) return field.bytes;
      const kept = field
        .child()
        .sequence()
        .filter((each) => readObjectIdentifier(each.child()) !== extension)
        .map(({ bytes }) => bytes);
      if (kept.length === 0) return Buffer.alloc(0);
      return derElement(constructedContext(3), derSequence(...kept));
    });
    return derSequence(...fields);
  }
}

function readExtensions(rest: readonly DerElement[]): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (rest.length === 0) return extensions;
  const [field] = exactly(1, rest);
  const [list] = exactly(1, field.expect(constructedContext(3)).children());
  for (const extension of list.sequence()) {
    const name = readObjectIdentifier(extension.expect(DerTag.sequence).child());
    if (extensions.has(name)) {
      throw derError("INVALID_VALUE", `the certificate has the extension ${name} twice`);
    }
    extensions.set(name, readExtension(extension.children()));
  }
  return extensions;
}

// `critical` is omitted when it is false.
function readExtension(parts: readonly DerElement[]): Extension {
  if (parts.length === 2) return { critical: false, value: readOctetString(exactly(2, parts)[1]) };
  const [, critical, value] = exactly(3, parts);
  return { critical: readBoolean(critical), value: readOctetString(value) };
}

interface Few {
  1: readonly [DerElement];
  2: readonly [DerElement, DerElement];
  3: readonly [DerElement, DerElement, DerElement];
}

function exactly<N extends keyof Few>(count: N, elements: readonly DerElement[]): Few[N] {
  const isExact = (found: readonly DerElement[]): found is Few[N] => found.length === count;
  if (isExact(elements)) return elements;
  throw derError("INVALID_VALUE", `expected ${count} elements, found ${elements.length}`);
}

interface Usage {
  readonly isAuthority: boolean;
  /** Maximum number of authorities below this one; undefined for no limit. */
  readonly pathLength: number | undefined;
  readonly signsData: boolean;
  /** True if the key is for digital signatures, and for nothing else. Non-repudiation is not distinguished. */
  readonly signsOnlyData: boolean;
  /** Also true if the certificate does not restrict the usage of its key. */
  readonly signsCertificates: boolean;
  /** The extended key usages as object identifiers; undefined if every purpose is allowed. */
  readonly purposes: readonly string[] | undefined;
}

/**
 * Reads the allowed usage of a certificate from its extensions.
 *
 * @throws DerError
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.3
 */
export function usageOf(certificate: Certificate): Usage {
  const bits = certificate.extension(oid.keyUsage);
  const usage = bits && readNamedBits(bits);
  return {
    ...readConstraints(certificate.extension(oid.basicConstraints)),
    signsData: usage?.[0] ?? false,
    signsOnlyData: usage?.[0] === true && !usage.slice(2).includes(true),
    signsCertificates: usage === undefined || usage[5] === true,
    purposes: certificate.extension(oid.extendedKeyUsage)?.sequence().map(readObjectIdentifier),
  };
}

/** The first critical extension that is not known. A certificate with one must be rejected. */
export function unknownCriticalExtension(
  { extensions }: Certificate,
  known: readonly string[],
): string | undefined {
  return [...extensions].find(([name, { critical }]) => critical && !known.includes(name))?.[0];
}

function readConstraints(value: DerElement | undefined): Pick<Usage, "isAuthority" | "pathLength"> {
  const [head, length] = value?.sequence() ?? [];
  const isAuthority = head?.tag === DerTag.boolean && readBoolean(head);
  return { isAuthority, pathLength: length && Number(readInteger(length)) };
}

interface CertificateIdentity {
  /** All subject alternative names, in order. */
  readonly subjects: readonly string[];
  readonly issuer: string | undefined;
}

/** Maximum number of names in a certificate; signers' certificates have one. */
const maxNames = 10;

/**
 * Reads the identity in a signer's certificate.
 *
 * @throws DerError, also for a name of a type that signers do not have
 * @see https://github.com/sigstore/fulcio/blob/main/docs/certificate-specification.md
 */
export function identityOf(certificate: Certificate): CertificateIdentity {
  const names = certificate.extension(oid.subjectAlternativeName)?.sequence() ?? [];
  if (names.length > maxNames) {
    throw derError(
      "UNSUPPORTED",
      `the certificate has ${names.length} names, more than the maximum of ${maxNames}`,
    );
  }
  const issuer = certificate.extension(oid.issuer);
  const rawIssuer = certificate.extensions.get(oid.rawIssuer);
  return {
    subjects: names.map(readName),
    issuer: issuer ? readText(issuer) : rawIssuer && utf8(rawIssuer.value),
  };
}

const otherName = constructedContext(0);
const email = primitiveContext(1);
const dnsName = primitiveContext(2);
const uri = primitiveContext(6);

function readName(name: DerElement): string {
  if ([email, dnsName, uri].includes(name.tag)) return ascii(name.content);
  if (name.tag !== otherName) {
    throw derError("UNSUPPORTED", "the certificate has a name of a type that signers do not have");
  }
  const [type, value] = name.children();
  if (!type || !value || readObjectIdentifier(type) !== oid.userNameSan) {
    throw derError("UNSUPPORTED", "the certificate has a name of an unknown type");
  }
  return readText(value.expect(constructedContext(0)).child());
}
