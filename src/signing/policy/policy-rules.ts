import type { CertificateAuthority, TrustMaterial } from "../sigstore/trust/trust-material";
import { describeRule } from "../sigstore/verification/identity-rule";
import type {
  ExpectedSigner,
  VerificationProblem,
  VerificationRules,
} from "../sigstore/verification/verification";
import type { SigningAuthority } from "./policy";

const emptyTrust: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

/**
 * The verification rules of an authority.
 *
 * @param trust called only if more than a public key must be trusted
 */
export async function rulesOf(
  { signer, log, needsTimestamp }: SigningAuthority,
  trust: () => Promise<TrustMaterial>,
): Promise<VerificationRules | VerificationProblem> {
  const time = timeRule(log.isNeeded, needsTimestamp);
  const expected: ExpectedSigner = signer.kind === "key" ? { key: signer.key } : signer;
  if (signer.kind === "key" && time === "none")
    return { trust: emptyTrust, signer: expected, time };
  const known = await trust();
  const transparencyLogs = known.transparencyLogs.filter(
    ({ baseUrl }) => log.url === undefined || isSameServer(baseUrl, log.url),
  );
  if (log.url !== undefined && transparencyLogs.length === 0) {
    const trusted = known.transparencyLogs.map(({ baseUrl }) => baseUrl ?? "?").join(", ");
    const problem = `the policy requires the transparency log ${log.url.origin}, which is not trusted (trusted: ${trusted || "none"})`;
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

/** The certificate authorities that may have issued a signer's certificate. */
function authoritiesFor(
  signer: SigningAuthority["signer"],
  { certificateAuthorities: trusted }: TrustMaterial,
): readonly CertificateAuthority[] | VerificationProblem {
  if (signer.kind === "key") return trusted;
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
 * Whether an authority's URI is a policy's URL. Scheme, host, port and path are compared; the case of the
 * host, a default port and a final slash make no difference. An authority without a URI may be any service.
 */
function isSameService(uri: string | undefined, wanted: URL): boolean {
  if (uri === undefined || uri === "") return true;
  return URL.canParse(uri) && serviceName(new URL(uri)) === serviceName(wanted);
}

const serviceName = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;

/** The required signer, for messages. */
export function describeSigner({ signer }: SigningAuthority): string {
  if (signer.kind === "key") return `the key with SHA-256 ${signer.keyId.slice(0, 16)}…`;
  return signer.identities.map(describeRule).join(", or ");
}

function timeRule(
  needsLog: boolean,
  needsTimestamp: boolean,
): NonNullable<VerificationRules["time"]> {
  if (needsTimestamp) return needsLog ? "log-and-time-stamp" : "time-stamp";
  return needsLog ? "log" : "none";
}

/** A trusted log without a URL may be any server. */
function isSameServer(baseUrl: string | undefined, wanted: URL): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return true;
  return new URL(baseUrl).origin === wanted.origin;
}
