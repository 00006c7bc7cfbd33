import type { Certificate } from "../certificate/certificate";
import { VerificationError } from "./verification-error";

/** Maximum number of certificates that may come with a signature or a timestamp. */
export const maxPresented = 10;

/** Far more than any chain needs: a chain has at most five issuers. */
const maxSignatureChecks = 50;
const maxCandidates = 1_000;

/**
 * Refuses more certificates than {@link maxPresented}, before they are parsed.
 *
 * @throws VerificationError
 */
export function checkPresentedCount(count: number, owner: "signature" | "timestamp"): void {
  if (count <= maxPresented) return;
  throw new VerificationError(
    owner === "signature" ? "CERTIFICATE" : "TIME_STAMP",
    `the ${owner} comes with ${count} certificates, more than the maximum of ${maxPresented}`,
  );
}

/**
 * Which certificate issued which, for the verification of one signature or timestamp.
 *
 * Each pair is checked once, and the number of checks is limited. Otherwise certificates that issue each
 * other could make the search for a chain take any time.
 */
export class IssuerChecks {
  #signatureChecks = 0;
  #candidates = 0;
  /** Why a chain was not accepted, if there is more to say than that there is none. */
  objection: string | undefined;
  readonly #known = new Map<Certificate, Map<Certificate, boolean>>();

  /**
   * Whether the issuer has issued the certificate, as far as its name and its key say.
   *
   * @throws VerificationError if there were too many checks
   */
  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    this.#candidates += 1;
    if (this.#candidates > maxCandidates) throw tooMany();
    if (!certificate.issuer.equals(issuer.subject)) return false;
    const known = this.#known.get(certificate) ?? new Map<Certificate, boolean>();
    this.#known.set(certificate, known);
    const found = known.get(issuer);
    if (found !== undefined) return found;
    this.#signatureChecks += 1;
    if (this.#signatureChecks > maxSignatureChecks) throw tooMany();
    const isIssued = certificate.isIssuedBy(issuer);
    known.set(issuer, isIssued);
    return isIssued;
  }
}

function tooMany(): VerificationError {
  return new VerificationError(
    "CERTIFICATE",
    "too many of the certificates could have issued each other, so the search for a chain was stopped",
  );
}
