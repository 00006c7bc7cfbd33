import { serverMessage } from "../../http/server-message";
import { sha256Hex } from "../oci/reference/descriptor";
import { type Certificate, oid } from "../sigstore/certificate/certificate";
import { toPem } from "../sigstore/der/der-element";
import {
  type CertificateAuthority,
  noTrust,
  type TrustMaterial,
  uniteTrust,
  urlOf,
} from "../sigstore/trust/trusted-root";
import {
  describeRule,
  type ExpectedSigner,
  type VerificationProblem,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
  type VerifiedSigner,
} from "../sigstore/verification/verification";
import type { CountedReport } from "./image-verdict";
import type { PolicySigner, SigningAuthority } from "./policy";
import type { PolicyEvidence } from "./policy-evidence";

/** The sources of trusted keys and certificates. Each is read only if an authority needs it. */
type TrustSources = Pick<PolicyEvidence, "trust" | "publicKey">;

export async function rulesOf(
  authority: SigningAuthority,
  { trust, publicKey }: TrustSources,
): Promise<VerificationRules | VerificationProblem> {
  const { signer, log, needsTimestamp } = authority;
  const expected = await expectedSigner(signer, publicKey);
  if ("problem" in expected) return expected;
  if ("key" in expected && !log.isNeeded && !needsTimestamp) {
    return { trust: noTrust, signer: expected, time: "none" };
  }
  const known = await trustOf(authority, trust);
  const time = timeRule(authority, known);
  const transparencyLogs = known.transparencyLogs.filter(
    ({ baseUrl }) => log.url === undefined || isSameServer(baseUrl, log.url),
  );
  if (log.url !== undefined && transparencyLogs.length === 0) {
    const urls = new Set(known.transparencyLogs.map((each) => urlOf(each) ?? "?"));
    const trusted = [...urls].join(", ") || "none";
    const problem = `the policy requires the transparency log ${log.url.origin}, which is not trusted (trusted: ${trusted})`;
    return { code: "NO_TRUST", problem };
  }
  const certificateAuthorities = authoritiesFor(signer, known);
  if ("problem" in certificateAuthorities) return certificateAuthorities;
  return {
    trust: { ...known, transparencyLogs, certificateAuthorities },
    signer: expected,
    time,
  };
}

/** What the provider trusts, or the TrustRoots of the policy. A TrustRoot of the signer is never mixed with the provider's. */
async function trustOf(
  { signer, log, needsTimestamp, trustRoots = {} }: SigningAuthority,
  trust: TrustSources["trust"],
): Promise<TrustMaterial> {
  const { identity, log: ofLog, timestamp: ofTimestamp } = trustRoots;
  const isComplete =
    signer.kind !== "identity" &&
    (!log.isNeeded || ofLog !== undefined) &&
    (!needsTimestamp || ofTimestamp !== undefined);
  const known = identity ?? (isComplete ? noTrust : instancesFor(signer, await trust()));
  return {
    ...known,
    ...(ofLog && { transparencyLogs: ofLog.transparencyLogs }),
    ...(ofTimestamp && { timestampAuthorities: ofTimestamp.timestampAuthorities }),
  };
}

/** Of several trusted roots, the content of those with an authority at the policy's URL. */
function instancesFor(signer: PolicySigner, trust: TrustMaterial): TrustMaterial {
  const accepted = signer.kind === "identity" ? authoritiesFor(signer, trust) : [];
  if ("problem" in accepted) return trust;
  const roots = new Set(accepted.flatMap(({ root }) => root ?? []));
  return roots.size === 0 ? trust : uniteTrust([...roots]);
}

async function expectedSigner(
  signer: PolicySigner,
  publicKey: TrustSources["publicKey"],
): Promise<ExpectedSigner | VerificationProblem> {
  switch (signer.kind) {
    case "identity":
      return signer;
    case "key":
      return { key: signer.key };
    case "kms":
      if (publicKey === undefined) {
        return {
          code: "NO_TRUST",
          problem: "keys in key-management services cannot be fetched here",
        };
      }
      return { key: { publicKey: await publicKey(signer.uri), hash: signer.hash } };
  }
}

/** The certificate authorities that may have issued a signer's certificate. */
function authoritiesFor(
  signer: SigningAuthority["signer"],
  { certificateAuthorities: trusted }: TrustMaterial,
): readonly CertificateAuthority[] | VerificationProblem {
  if (signer.kind !== "identity") return trusted;
  const { certificateAuthority: own, certificateAuthorityUrl: url } = signer;
  if (own !== undefined) return [own];
  if (url === undefined) return trusted;
  const accepted = trusted.filter(({ uri }) => isSameService(uri, url));
  if (accepted.length > 0 || trusted.length === 0) return accepted;
  const listed = [...new Set(trusted.map(({ uri }) => uri ?? "?"))].join(", ");
  const problem = `the policy requires the certificate authority ${serviceName(url)}, which is not trusted (trusted: ${listed})`;
  return { code: "NO_TRUST", problem };
}

/**
 * Compares an authority's URI with a policy's URL by scheme, host, port and path. The case of the host, a
 * default port and a final slash make no difference. A URI without a scheme, as in GitHub's trusted root, may have
 * any. An authority without a URI may be any service.
 */
function isSameService(uri: string | undefined, wanted: URL): boolean {
  if (uri === undefined || uri === "") return true;
  const url = uri.includes("://") ? uri : `${wanted.protocol}//${uri}`;
  return URL.canParse(url) && serviceName(new URL(url)) === serviceName(wanted);
}

const serviceName = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;

export function describeSigner({ signer }: SigningAuthority): string {
  if (signer.kind === "key") return `the key with SHA-256 ${signer.keyId.slice(0, 16)}…`;
  if (signer.kind === "kms") return `the key ${signer.uri}`;
  return signer.identities.map(describeRule).join(", or ");
}

/** An instance that has no log, such as GitHub's for private repositories, proves the time by a timestamp. */
function timeRule(
  { log, needsTimestamp, trustRoots = {} }: SigningAuthority,
  { transparencyLogs }: TrustMaterial,
): NonNullable<VerificationRules["time"]> {
  if (!needsTimestamp) return "log";
  const namesLog = log.url !== undefined || trustRoots.log !== undefined;
  const hasLog = namesLog || transparencyLogs.length > 0;
  return log.isNeeded && hasLog ? "log-and-timestamp" : "timestamp";
}

/** A trusted log without a URL may be any server. */
function isSameServer(baseUrl: string | undefined, wanted: URL): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return true;
  return new URL(baseUrl).origin === wanted.origin;
}

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
