import { DerElement } from "../der/der-element";
import { DerError } from "../der/der-error";
import { constructedContext, primitiveContext } from "../der/der-tag";
import { ascii, readObjectIdentifier, readText, utf8 } from "../der/read-value";
import type { Certificate } from "./certificate";
import { oid } from "./object-identifiers";

/** The identity in a signer's certificate. */
interface CertificateIdentity {
  /** All subject alternative names, in order. */
  readonly subjects: readonly string[];
  /** The issuer of the identity token. */
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
export function identityOf({ extensions }: Certificate): CertificateIdentity {
  const names = extensions.get(oid.subjectAlternativeName);
  const issuer = extensions.get(oid.issuer);
  const rawIssuer = extensions.get(oid.rawIssuer);
  return {
    subjects: names ? readNames(names.value) : [],
    issuer: issuer ? readText(DerElement.read(issuer.value)) : rawIssuer && utf8(rawIssuer.value),
  };
}

function readNames(value: Buffer): readonly string[] {
  const names = DerElement.read(value).sequence();
  if (names.length > maxNames) {
    throw new DerError(
      "UNSUPPORTED",
      `the certificate has ${names.length} names, more than the maximum of ${maxNames}`,
    );
  }
  return names.map(readName);
}

const otherName = constructedContext(0);
const email = primitiveContext(1);
const dnsName = primitiveContext(2);
const uri = primitiveContext(6);

function readName(name: DerElement): string {
  if ([email, dnsName, uri].includes(name.tag)) return ascii(name.content);
  if (name.tag !== otherName) {
    throw new DerError(
      "UNSUPPORTED",
      "the certificate has a name of a type that signers do not have",
    );
  }
  const [type, value] = name.children();
  if (!type || !value || readObjectIdentifier(type) !== oid.userNameSan) {
    throw new DerError("UNSUPPORTED", "the certificate has a name of an unknown type");
  }
  const [text] = value.expect(constructedContext(0)).children();
  if (text === undefined) throw new DerError("TRUNCATED", "the certificate has an empty name");
  return readText(text);
}
