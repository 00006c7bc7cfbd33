import { sha256Hex } from "../oci/reference/digest";
import { type Certificate, oid } from "../sigstore/certificate/certificate";
import { toPem } from "../sigstore/der/pem";
import type { VerifiedAttestation, VerifiedSignature } from "../sigstore/verification/verification";
import type { AuthorityOutcome, RequirementOutcome } from "./policy-verdict";

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
    attestation === undefined
      ? []
      : [
          [
            attestation.name,
            verified.map(({ value }) => resultOf(value, attestation.type)),
          ] as const,
        ],
  );
  if (attestations.length > 0) return { attestations: Object.fromEntries(attestations) };
  return {
    signatures: requirements.flatMap(({ verified }) =>
      verified.map(({ value }) => resultOf(value)),
    ),
  };
}

/** A verified signature or attestation, with the names and the values that it has in a cluster. */
interface Result {
  readonly id: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly githubWorkflowTrigger?: string;
  readonly githubWorkflowSha?: string;
  readonly githubWorkflowName?: string;
  readonly githubWorkflowRepo?: string;
  readonly githubWorkflowRef?: string;
  readonly predicateType?: string;
  readonly digest?: string;
}

/** @param type the predicate type as the policy writes it */
function resultOf(found: VerifiedSignature | VerifiedAttestation, type?: string): Result {
  const { signer, certificate } = found;
  return {
    id: idOf(found),
    ...(signer.kind === "identity" && { subject: signer.subject, issuer: signer.issuer }),
    ...(certificate && workflowOf(certificate)),
    ...(type !== undefined &&
      "contentSha256" in found && {
        predicateType: type,
        digest: `sha256:${found.contentSha256}`,
      }),
  };
}

/**
 * The SHA-256 of the signature and of the certificate in PEM. Legacy attestations have no signature of their own, so
 * all of those with the same certificate, or with any bare key, have the same ID, in clusters too.
 */
function idOf({ signature, certificate }: VerifiedSignature): string {
  const pem = certificate === undefined ? "" : toPem("CERTIFICATE", certificate.der);
  return sha256Hex(Buffer.concat([signature, Buffer.from(pem)]));
}

function workflowOf({ extensions }: Certificate): Partial<Result> {
  const facts = Object.entries(workflowFacts).flatMap(([name, id]) => {
    const text = extensions.get(id)?.value.toString("utf8") ?? "";
    return text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(facts);
}

const workflowFacts = {
  githubWorkflowTrigger: oid.workflowTrigger,
  githubWorkflowSha: oid.workflowSha,
  githubWorkflowName: oid.workflowName,
  githubWorkflowRepo: oid.workflowRepository,
  githubWorkflowRef: oid.workflowRef,
} as const satisfies Partial<Record<keyof Result, string>>;
