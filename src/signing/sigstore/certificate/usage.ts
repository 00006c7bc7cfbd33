import { DerElement } from "../der/der-element";
import { readBoolean, readInteger, readNamedBits, readObjectIdentifier } from "../der/read-value";
import { DerTag } from "../der/der-tag";
import type { Certificate } from "./certificate";
import { oid } from "./object-identifiers";

/** What a certificate is for. */
export interface Usage {
  readonly isAuthority: boolean;
  /** How many authorities may stand below this one. */
  readonly pathLength: number | undefined;
  readonly signsData: boolean;
  /** Also true when the certificate does not say what its key is for. */
  readonly signsCertificates: boolean;
  /** Undefined when every purpose is allowed. */
  readonly purposes: readonly string[] | undefined;
}

/** @throws DerError */
export function usageOf({ extensions }: Certificate): Usage {
  const constraints = extensions.get(oid.basicConstraints);
  const bits = extensions.get(oid.keyUsage);
  const purposes = extensions.get(oid.extendedKeyUsage);
  const usage = bits && readNamedBits(DerElement.read(bits.value));
  return {
    ...readConstraints(constraints?.value),
    signsData: usage?.[0] ?? false,
    signsCertificates: usage === undefined || (usage[5] ?? false),
    purposes: purposes && DerElement.read(purposes.value).sequence().map(readObjectIdentifier),
  };
}

/** The critical extensions that are not among these, since what is not understood must be refused. */
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
