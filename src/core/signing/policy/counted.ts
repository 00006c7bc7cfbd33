import { serverMessage } from "../../http/server-message";
import { sha256Hex } from "../oci/reference/descriptor";
import { type Certificate, oid } from "../sigstore/certificate/certificate";
import { toPem } from "../sigstore/der/der-element";
import type {
  VerifiedAttestation,
  VerifiedSignature,
  VerifiedSigner,
} from "../sigstore/verification/verification";
import type { CountedReport } from "./image-verdict";

/** A signature or an attestation that meets a requirement. */
export interface Counted<Value extends VerifiedSignature = VerifiedSignature> {
  readonly label: string;
  readonly value: Value;
}

export function reportCounted({
  label,
  value,
}: Counted<VerifiedSignature | VerifiedAttestation>): CountedReport {
  const { signer, log, at } = value;
  return {
    candidate: serverMessage(label),
    ...reportSigner(signer),
    ...(log && { log: log.url ?? log.logId, logIndex: log.logIndex }),
    ...(at && { time: at.toISOString() }),
    ...("statement" in value && { predicateType: serverMessage(value.statement.predicateType) }),
  };
}

/** Reports who signed: the SHA-256 of a bare key, or an identity. */
export const reportSigner = (signer: VerifiedSigner) =>
  signer.kind === "key"
    ? { key: signer.keyId }
    : { subject: serverMessage(signer.subject), issuer: serverMessage(signer.issuer) };

/**
 * Writes what counted as the program of a whole policy reads it: with the names and the values that it has in a cluster.
 *
 * @param type the predicate type as the policy writes it. @default a signature
 * @see https://docs.sigstore.dev/policy-controller/overview/#configuring-policy-at-the-clusterimagepolicy-level
 */
export function resultOf(found: VerifiedSignature | VerifiedAttestation, type?: string): object {
  const { signer, certificate } = found;
  const isAttestation = type !== undefined && "contentSha256" in found;
  return {
    id: idOf(found),
    ...(signer.kind === "identity" && { subject: signer.subject, issuer: signer.issuer }),
    ...(certificate && workflowOf(certificate)),
    ...(isAttestation && { predicateType: type, digest: `sha256:${found.contentSha256}` }),
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

function workflowOf({ extensions }: Certificate): object {
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
};
