import { DerElement } from "../der/der-element";
import { readBoolean, readInteger, readNamedBits, readObjectIdentifier } from "../der/read-value";
import { DerTag } from "../der/der-tag";
import type { Certificate } from "./certificate";
import { oid } from "./object-identifiers";

/** The allowed usage of a certificate. */
interface Usage {
  readonly isAuthority: boolean;
  /** Maximum number of authorities below this one; undefined for no limit. */
  readonly pathLength: number | undefined;
  readonly signsData: boolean;
  /** Whether the key is for digital signatures, and for nothing else. Non-repudiation is the same to us. */
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
export function usageOf({ extensions }: Certificate): Usage {
  const constraints = extensions.get(oid.basicConstraints);
  const bits = extensions.get(oid.keyUsage);
  const purposes = extensions.get(oid.extendedKeyUsage);
  const usage = bits && readNamedBits(DerElement.read(bits.value));
  return {
    ...readConstraints(constraints?.value),
    signsData: usage?.[0] ?? false,
    signsOnlyData: usage?.[0] === true && !usage.slice(2).includes(true),
    signsCertificates: usage === undefined || (usage[5] ?? false),
    purposes: purposes && DerElement.read(purposes.value).sequence().map(readObjectIdentifier),
  };
}

/** The first critical extension that is not known. A certificate with one must be rejected. */
export function unknownCriticalExtension(
  { extensions }: Certificate,
  known: readonly string[],
): string | undefined {
  return [...extensions].find(([name, { critical }]) => critical && !known.includes(name))?.[0];
}

function readConstraints(value: Buffer | undefined): Pick<Usage, "isAuthority" | "pathLength"> {
  if (value === undefined) return { isAuthority: false, pathLength: undefined };
  const [head, ...rest] = DerElement.read(value).sequence();
  const isAuthority = head?.tag === DerTag.boolean && readBoolean(head);
  const [length] = rest;
  return { isAuthority, pathLength: length && Number(readInteger(length)) };
}
