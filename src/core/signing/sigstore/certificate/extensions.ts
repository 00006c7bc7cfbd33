import {
  type DerElement,
  DerTag,
  constructedContext,
  primitiveContext,
  derError,
} from "../der/der-element";
import {
  readBoolean,
  readInteger,
  readNamedBits,
  readObjectIdentifier,
  ascii,
  readText,
  utf8,
} from "../der/read-value";
import { type Certificate, oid } from "./certificate";

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
 * @throws DerError, also for names of other types than signers have
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
