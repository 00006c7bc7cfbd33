import type { VerifiedSignature } from "../sigstore/verification/verification";
import type { AuthorityOutcome, RequirementOutcome } from "./policy-verdict";

/** A verified signature or attestation, as programs read it. */
interface Match {
  readonly subject?: string;
  readonly issuer?: string;
  readonly predicateType?: string;
}

/**
 * The results of the authorities that accept the image, as the program of a whole policy reads them: for
 * each, its signatures, its attestations by their names, or that it is static.
 *
 * @see https://docs.sigstore.dev/policy-controller/overview/#configuring-policy-at-the-clusterimagepolicy-level
 */
export function resultsOf(outcomes: readonly AuthorityOutcome[]): object {
  const matches = outcomes
    .filter(({ isSatisfied }) => isSatisfied)
    .map(({ authority, requirements }) => [authority, matchOf(requirements)] as const);
  return { authorityMatches: Object.fromEntries(matches) };
}

function matchOf(requirements: readonly RequirementOutcome[]): object {
  if (requirements.length === 0) return { static: true };
  const attestations = requirements.flatMap(({ attestation, verified }) =>
    attestation === undefined ? [] : [[attestation, verified.map(describe)] as const],
  );
  if (attestations.length > 0) return { attestations: Object.fromEntries(attestations) };
  return { signatures: requirements.flatMap(({ verified }) => verified.map(describe)) };
}

function describe(found: RequirementOutcome["verified"][number] | VerifiedSignature): Match {
  const { signer } = found;
  return {
    ...(signer.kind === "identity" && { subject: signer.subject, issuer: signer.issuer }),
    ...("statement" in found && { predicateType: found.statement.predicateType }),
  };
}
