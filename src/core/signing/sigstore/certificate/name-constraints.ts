import { DerElement, constructedContext, primitiveContext, derError } from "../der/der-element";
import { ascii, readObjectIdentifier, readText } from "../der/read-value";
import { type Certificate, oid } from "./certificate";

/** A name, as its type and its content: DER for a directory name, bytes for others. */
interface GeneralName {
  readonly tag: number;
  readonly content: Buffer;
}

const form = {
  email: primitiveContext(1),
  dns: primitiveContext(2),
  directory: constructedContext(4),
  uri: primitiveContext(6),
} as const;

/** Far more than any authority needs. It bounds the time for comparing them. */
const maxComparisons = 1_000;

const emailAddress = "1.2.840.113549.1.9.1";

/**
 * Explains why the name constraints of a certificate authority do not permit a certificate below it; undefined
 * if they do, or if it has none.
 *
 * Email addresses, DNS names, URIs and permitted directory names are compared. A name that cannot be compared (malformed, an
 * excluded directory name, or in any other form) is not permitted if the constraints have that form. So this may refuse more
 * than RFC 5280 demands, never less.
 *
 * @throws DerError
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.10
 */
export function constraintViolation(
  authority: Certificate,
  below: Certificate,
): string | undefined {
  const extension = authority.extension(oid.nameConstraints);
  if (extension === undefined) return undefined;
  const { permitted, excluded } = readConstraints(extension);
  const names = namesOf(below);
  if (names.length * (permitted.length + excluded.length) > maxComparisons) {
    throw derError(
      "UNSUPPORTED",
      "the name constraints of a certificate authority are too many to compare with all names below it",
    );
  }
  for (const name of names) {
    const sameForm = permitted.filter(({ tag }) => tag === name.tag);
    const isPermitted =
      sameForm.length === 0 || sameForm.some((each) => isWithin(name, each) === true);
    // `undefined` (unknown) counts against the certificate in both lists.
    const isExcluded = excluded.some(
      (each) => each.tag === name.tag && isWithin(name, each) !== false,
    );
    if (!isPermitted || isExcluded) {
      return `the name constraints of a certificate authority do not permit ${describe(name)}`;
    }
  }
  return undefined;
}

function readConstraints(value: DerElement) {
  const parts = value.sequence();
  const subtrees = (number: number): readonly GeneralName[] =>
    parts
      .filter(({ tag }) => tag === constructedContext(number))
      .flatMap((part) => part.children().map(readSubtree));
  const constraints = { permitted: subtrees(0), excluded: subtrees(1) };
  if (constraints.permitted.length + constraints.excluded.length === 0 || parts.length > 2) {
    throw derError("INVALID_VALUE", "the name constraints of a certificate authority are invalid");
  }
  return constraints;
}

function readSubtree(subtree: DerElement): GeneralName {
  const [base, ...distances] = subtree.sequence();
  // RFC 5280 fixes the minimum to 0, which DER omits, and does not allow a maximum.
  if (base === undefined || distances.length > 0) {
    throw derError(
      "UNSUPPORTED",
      "the name constraints of a certificate authority have a minimum or maximum",
    );
  }
  return base;
}

/** The subject, with the email addresses in it, and all alternative names. */
function namesOf(certificate: Certificate): readonly GeneralName[] {
  const { subject } = certificate;
  const relative = DerElement.read(subject).sequence();
  return [
    ...(relative.length === 0 ? [] : [{ tag: form.directory, content: subject }]),
    ...relative.flatMap((each) => each.set().flatMap(readEmail)),
    ...(certificate.extension(oid.subjectAlternativeName)?.sequence() ?? []),
  ];
}

function readEmail(attribute: DerElement): readonly GeneralName[] {
  const [type, value] = attribute.sequence();
  if (!type || !value || readObjectIdentifier(type) !== emailAddress) return [];
  return [{ tag: form.email, content: Buffer.from(readText(value), "utf8") }];
}

/** Checks whether a name is within a subtree; undefined if that is unknown. */
function isWithin({ tag, content }: GeneralName, base: GeneralName): boolean | undefined {
  switch (tag) {
    case form.email:
      return isEmailWithin(ascii(content), ascii(base.content));
    case form.dns:
      return isDnsWithin(ascii(content), ascii(base.content));
    case form.uri:
      return isUriWithin(ascii(content), ascii(base.content));
    case form.directory:
      return isDirectoryWithin(content, base.content);
    default:
      return undefined;
  }
}

/** A mailbox, all mailboxes at a host, or (with a dot) at the hosts below it. */
function isEmailWithin(email: string, base: string): boolean | undefined {
  const [, local, host] = /^([^@\s"]+)@([^@]+)$/.exec(email) ?? [];
  if (local === undefined || host === undefined || !isHost(host)) return undefined;
  const [baseHost = "", baseLocal, ...others] = base.split("@").toReversed();
  if (others.length > 0) return undefined;
  if (baseLocal === undefined || baseLocal === "") return isHostWithin(host, baseHost);
  if (!isHost(baseHost)) return undefined;
  return local === baseLocal && isSameHost(host, baseHost);
}

/** A host and everything below it; with a dot, only what is below it. */
function isDnsWithin(name: string, base: string): boolean | undefined {
  if (!isHost(name)) return undefined;
  if (base === "") return true;
  const parent = base.replace(/^\./, "");
  if (!isHost(parent)) return undefined;
  return isBelow(name, parent) || (parent === base && isSameHost(name, base));
}

/** A host, or (with a dot) the hosts below it. URIs without a host name do not conform. */
function isUriWithin(uri: string, base: string): boolean | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@:[\]]+)(?::\d*)?(?:\/|$)/i;
  const [, host] = authority.exec(uri) ?? [];
  // An IP address is not below any name.
  if (host === undefined || !isHost(host) || /(?:^|\.)\d+$/.test(host)) return undefined;
  return isHostWithin(host, base);
}

/** The base's parts must be the first parts of the name. They are compared as DER, which is stricter than needed. */
function isDirectoryWithin(subject: Buffer, base: Buffer): boolean | undefined {
  const parts = DerElement.read(subject).sequence();
  const [first, ...rest] = DerElement.read(base).sequence();
  if (first === undefined) return true;
  const isPrefix = [first, ...rest].every(
    ({ bytes }, index) => parts[index]?.bytes.equals(bytes) === true,
  );
  return isPrefix ? true : undefined;
}

function isHostWithin(host: string, base: string): boolean | undefined {
  if (base.startsWith(".")) return isHost(base.slice(1)) ? isBelow(host, base.slice(1)) : undefined;
  return isHost(base) ? isSameHost(host, base) : undefined;
}

const isSameHost = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const isBelow = (host: string, parent: string): boolean =>
  host.toLowerCase().endsWith(`.${parent.toLowerCase()}`);

/** A name of labels, without a wildcard, an empty label or a final dot. */
const isHost = (text: string): boolean => /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(text);

function describe({ tag, content }: GeneralName): string {
  if (tag === form.directory) return "the subject of a certificate below it";
  const isText = tag === form.email || tag === form.dns || tag === form.uri;
  return isText ? JSON.stringify(ascii(content).slice(0, 200)) : "a name of an unknown form";
}
