import {
  type Certificate,
  oid,
  unknownCriticalExtension,
  usageOf,
} from "../certificate/certificate";
import { constraintViolation } from "../certificate/name-constraints";
import { isWithin, type CertificateAuthority } from "../trust/trusted-root";
import { demand } from "./verification";

/** A certificate, and the authorities to which its chain must lead. */
interface ChainProps {
  readonly leaf: Certificate;
  readonly authorities: readonly CertificateAuthority[];
  /** Certificates that came with the signature: possible intermediates, never trust anchors. */
  readonly presented: readonly Certificate[];
  readonly time: Date;
  readonly purpose: typeof oid.codeSigning | typeof oid.timeStamping;
  /** Shared by all searches for one signature. */
  readonly checks: IssuerChecks;
}

/** Maximum number of authorities above a leaf. */
const authoritiesMax = 5;

/** Maximum number of certificates that may come with a signature or a timestamp. */
const maxPresented = 10;

/** Far more than any chain needs: a chain has at most five issuers. */
const maxSignatureChecks = 50;
const maxSteps = 200;

const knownInAuthorities = [
  oid.basicConstraints,
  oid.keyUsage,
  oid.extendedKeyUsage,
  oid.nameConstraints,
];

/**
 * Finds a chain from the leaf to a trust anchor, and returns the issuer of the leaf.
 *
 * @see {@link findIssuer}
 */
export function issuerInChain(props: ChainProps): Certificate {
  demand(props.authorities.length > 0, "NO_TRUST", "no certificate authority is trusted");
  const issuer = findIssuer(props);
  const { objection } = props.checks;
  demand(
    issuer !== undefined,
    "CERTIFICATE",
    "the certificate has no chain to a certificate authority that was trusted at that time" +
      (objection === undefined ? "" : `: ${objection}`),
  );
  return issuer;
}

/**
 * Finds a chain from the leaf to a trust anchor, and returns the issuer of the leaf; undefined if there is
 * no chain.
 *
 * Every certificate in the chain must be valid at the time, be an authority, and allow the purpose. Its name
 * constraints must permit all certificates below it, also if they are not critical.
 *
 * @throws VerificationError if the leaf was not valid at the time, or if the search would take too long
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-6
 */
export function findIssuer(props: ChainProps): Certificate | undefined {
  const { leaf, authorities, time } = props;
  demand(
    leaf.isValidAt(time),
    "TIME",
    `the certificate was valid from ${leaf.notBefore.toISOString()} to ` +
      `${leaf.notAfter.toISOString()}, not at ${time.toISOString()}`,
  );
  for (const authority of authorities) {
    if (!isWithin(authority.validity, time)) continue;
    const issuer = search([leaf], authority, props);
    if (issuer !== undefined) return issuer;
  }
  return undefined;
}

/** @param path the certificates so far, from the one whose issuer is to be found down to the leaf */
function search(
  path: readonly [Certificate, ...Certificate[]],
  authority: CertificateAuthority,
  props: ChainProps,
): Certificate | undefined {
  const [below] = path;
  const depth = path.length - 1;
  if (depth >= authoritiesMax) return undefined;
  const mayIssue = (issuer: Certificate): boolean =>
    props.checks.isIssuedBy(below, issuer) &&
    isAuthorityFor(issuer, props, depth) &&
    props.checks.permits(issuer, path);
  return (
    authority.anchors.find(mayIssue) ??
    [...authority.intermediates, ...props.presented].find(
      (issuer) =>
        !issuer.isSelfIssued &&
        mayIssue(issuer) &&
        search([issuer, ...path], authority, props) !== undefined,
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

/** Refuses more certificates than {@link maxPresented}, before they are parsed. @throws VerificationError */
export function checkPresentedCount(count: number, owner: "signature" | "timestamp"): void {
  demand(
    count <= maxPresented,
    owner === "signature" ? "CERTIFICATE" : "TIMESTAMP",
    `the ${owner} comes with ${count} certificates, more than the maximum of ${maxPresented}`,
  );
}

/**
 * Checks a chain that came with the signature: each certificate must issue the previous one, and the last
 * one must be self-issued or issued by a trusted certificate.
 *
 * This establishes no trust, but a broken chain shows that the content was changed.
 */
export function checkPresentedChain(
  leaf: Certificate,
  chain: readonly Certificate[],
  authorities: readonly CertificateAuthority[],
  checks: IssuerChecks,
): void {
  const last = chain.at(-1);
  if (last === undefined) return;
  const trusted = authorities.flatMap(({ anchors, intermediates }) => [
    ...anchors,
    ...intermediates,
  ]);
  demand(
    chain.every((issuer, index) => checks.isIssuedBy(chain[index - 1] ?? leaf, issuer)) &&
      [last, ...trusted].some((issuer) => checks.isIssuedBy(last, issuer)),
    "CERTIFICATE",
    "the chain that came with the certificate is broken",
  );
}

/**
 * Checks which certificates issued others and were allowed to, for the verification of one signature or timestamp.
 *
 * Each pair is checked once, and the number of checks is limited. Otherwise certificates that issue each
 * other could make the search for a chain take any time.
 */
export class IssuerChecks {
  /** Explains why the first chain with a violation of name constraints was not accepted. */
  objection: string | undefined;
  #steps = 0;
  #signatureChecks = 0;
  readonly #issued = new PairMemory<boolean>();
  readonly #violations = new PairMemory<string | undefined>();

  /**
   * True if the issuer has issued the certificate, by its name and its key.
   *
   * @throws VerificationError if there were too many checks
   */
  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    if (!certificate.issuer.equals(issuer.subject)) return false;
    this.#steps += 1;
    demand(this.#steps <= maxSteps, "CERTIFICATE", tooMany);
    return this.#issued.of(certificate, issuer, () => {
      this.#signatureChecks += 1;
      demand(this.#signatureChecks <= maxSignatureChecks, "CERTIFICATE", tooMany);
      return certificate.isIssuedBy(issuer);
    });
  }

  /** True if the issuer's name constraints permit all certificates below it. */
  permits(issuer: Certificate, path: readonly Certificate[]): boolean {
    for (const below of path) {
      const violation = this.#violations.of(below, issuer, () =>
        constraintViolation(issuer, below),
      );
      this.objection ??= violation;
      if (violation !== undefined) return false;
    }
    return true;
  }
}

const tooMany =
  "too many of the certificates could have issued each other, so the search for a chain was stopped";

class PairMemory<T> {
  readonly #known = new Map<Certificate, Map<Certificate, { readonly result: T }>>();

  of(below: Certificate, issuer: Certificate, compute: () => T): T {
    const known = this.#known.get(below) ?? new Map<Certificate, { readonly result: T }>();
    this.#known.set(below, known);
    const found = known.get(issuer) ?? { result: compute() };
    known.set(issuer, found);
    return found.result;
  }
}
