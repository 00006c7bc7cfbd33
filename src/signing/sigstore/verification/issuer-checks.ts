import type { Certificate } from "../certificate/certificate";
import { constraintViolation } from "../certificate/name-constraints";
import { VerificationError } from "./verification-error";

/** Maximum number of certificates that may come with a signature or a timestamp. */
const maxPresented = 10;

/** Far more than any chain needs: a chain has at most five issuers. */
const maxSignatureChecks = 50;
const maxSteps = 200;

/**
 * Refuses more certificates than {@link maxPresented}, before they are parsed.
 *
 * @throws VerificationError
 */
export function checkPresentedCount(count: number, owner: "signature" | "timestamp"): void {
  if (count <= maxPresented) return;
  throw new VerificationError(
    owner === "signature" ? "CERTIFICATE" : "TIMESTAMP",
    `the ${owner} comes with ${count} certificates, more than the maximum of ${maxPresented}`,
  );
}

/**
 * Which certificate issued which and may do so, for the verification of one signature or timestamp.
 *
 * Each pair is checked once, and the number of checks is limited. Otherwise certificates that issue each
 * other could make the search for a chain take any time.
 */
export class IssuerChecks {
  /** Why a chain was not accepted, if there is more to say than that there is none. */
  objection: string | undefined;
  #steps = 0;
  #signatureChecks = 0;
  readonly #issued = new PairMemory<boolean>();
  readonly #violations = new PairMemory<string | undefined>();

  /**
   * Whether the issuer has issued the certificate, as far as its name and its key say.
   *
   * @throws VerificationError if there were too many checks
   */
  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    if (!certificate.issuer.equals(issuer.subject)) return false;
    this.#steps += 1;
    if (this.#steps > maxSteps) throw tooMany();
    return this.#issued.of(certificate, issuer, () => {
      this.#signatureChecks += 1;
      if (this.#signatureChecks > maxSignatureChecks) throw tooMany();
      return certificate.isIssuedBy(issuer);
    });
  }

  /** Whether the name constraints of an issuer permit all certificates below it. */
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

/** Remembers a result for each pair of certificates. */
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

function tooMany(): VerificationError {
  return new VerificationError(
    "CERTIFICATE",
    "too many of the certificates could have issued each other, so the search for a chain was stopped",
  );
}
