import type { Certificate } from "../certificate/certificate";
import { oid } from "../certificate/object-identifiers";
import { unknownCriticalExtension, usageOf } from "../certificate/usage";
import { isWithin, type CertificateAuthority } from "../trust/trust-material";
import { VerificationError } from "./verification-error";

export interface ChainProps {
  readonly leaf: Certificate;
  readonly authorities: readonly CertificateAuthority[];
  /** Certificates that came along: a way to an authority, never one themselves. */
  readonly presented: readonly Certificate[];
  readonly time: Date;
  /** The purpose that the leaf must have. */
  readonly purpose: typeof oid.codeSigning | typeof oid.timeStamping;
}

/** How many authorities may stand above a leaf. */
const authoritiesMax = 5;

const knownInAuthorities = [oid.basicConstraints, oid.keyUsage, oid.extendedKeyUsage];

/**
 * The certificate that issued the leaf, once there is a way from it to a trusted one.
 *
 * Every certificate on that way is valid at the time, is an authority, and may certify for the purpose.
 *
 * @throws VerificationError
 */
export function issuerInChain(props: ChainProps): Certificate {
  const { leaf, authorities, time } = props;
  if (authorities.length === 0) {
    throw new VerificationError("NO_TRUST", "no certificate authority is trusted");
  }
  if (!leaf.isValidAt(time)) {
    throw new VerificationError(
      "TIME",
      `the certificate was valid from ${leaf.notBefore.toISOString()} to ` +
        `${leaf.notAfter.toISOString()}, not at ${time.toISOString()}`,
    );
  }
  for (const authority of authorities) {
    if (!isWithin(authority.validity, time)) continue;
    const issuer = search(leaf, authority, props, 0);
    if (issuer !== undefined) return issuer;
  }
  throw new VerificationError(
    "CERTIFICATE",
    "the certificate does not lead to a trusted certificate authority that was valid at its time",
  );
}

function search(
  below: Certificate,
  authority: CertificateAuthority,
  props: ChainProps,
  depth: number,
): Certificate | undefined {
  if (depth >= authoritiesMax) return undefined;
  const mayIssue = (issuer: Certificate): boolean =>
    below.issuer.equals(issuer.subject) &&
    isAuthorityFor(issuer, props, depth) &&
    below.isIssuedBy(issuer);
  return (
    authority.anchors.find(mayIssue) ??
    [...authority.intermediates, ...props.presented].find(
      (issuer) =>
        !issuer.isSelfIssued &&
        mayIssue(issuer) &&
        search(issuer, authority, props, depth + 1) !== undefined,
    )
  );
}

function isAuthorityFor(
  certificate: Certificate,
  { time, purpose }: ChainProps,
  authoritiesBelow: number,
): boolean {
  const { isAuthority, signsCertificates, pathLength, purposes } = usageOf(certificate);
  return (
    isAuthority &&
    signsCertificates &&
    certificate.isValidAt(time) &&
    (pathLength === undefined || authoritiesBelow <= pathLength) &&
    (purposes === undefined || purposes.includes(purpose)) &&
    unknownCriticalExtension(certificate, knownInAuthorities) === undefined
  );
}

/**
 * Says that the chain that came along is one: each certificate issues the one before it, and the last one
 * is issued by itself or by somebody trusted.
 *
 * Nothing is believed for it; but what is broken is not what its maker had written.
 */
export function checkPresentedChain(
  leaf: Certificate,
  chain: readonly Certificate[],
  authorities: readonly CertificateAuthority[],
): void {
  const last = chain.at(-1);
  if (last === undefined) return;
  const trusted = authorities.flatMap(({ anchors, intermediates }) => [
    ...anchors,
    ...intermediates,
  ]);
  const isLinked = chain.every((issuer, index) => (chain[index - 1] ?? leaf).isIssuedBy(issuer));
  if (!isLinked || ![last, ...trusted].some((issuer) => last.isIssuedBy(issuer))) {
    throw new VerificationError("CERTIFICATE", "the chain beside the certificate is broken");
  }
}
