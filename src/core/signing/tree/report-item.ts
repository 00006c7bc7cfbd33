import { X509Certificate } from "node:crypto";
import { serverMessage } from "../../http/server-message";
import type { Digest } from "../oci/reference/descriptor";
import { reportSigner } from "../policy/policy-rules";
import { Certificate, oid, identityOf } from "../sigstore/certificate/certificate";
import { readPublicKey, verifies, isPublicKeyError } from "../sigstore/certificate/public-key";
import { DerElement } from "../sigstore/der/der-element";
import { readText, utf8 } from "../sigstore/der/read-value";
import { readLogBody } from "../sigstore/format/log-body";
import { inTotoPayloadType, readStatement, signPredicateType } from "../sigstore/format/statement";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import type { SignedContent } from "../sigstore/verification/signed-content";
import { certificateTimestamps } from "../sigstore/verification/signer-certificate";
import {
  attempt,
  isVerified,
  type SignerKey,
  type VerificationRules,
} from "../sigstore/verification/verification";
import {
  anyIdentity,
  type Attached,
  attachedContent,
  verifyAttached,
} from "../sigstore/verification/verify-attached";
import type { AttachedItem, CertificateReport } from "./image-tree";
import {
  problemReport,
  reportLogEntry,
  reportTimestamps,
  unchecked,
  verified,
} from "./report-proofs";

/**
 * What Fulcio confirms about a workflow, by the last number of its extension.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md
 */
const facts: Readonly<Record<string, string>> = {
  9: "Build signer",
  10: "Build signer digest",
  11: "Runner",
  12: "Repository",
  13: "Commit",
  14: "Ref",
  15: "Repository ID",
  16: "Owner",
  17: "Owner ID",
  18: "Build configuration",
  19: "Build configuration digest",
  20: "Trigger",
  21: "Run",
  22: "Repository visibility",
};

/** The extensions of older certificates, which contain raw bytes. */
const olderFacts: Readonly<Record<string, string>> = {
  [oid.workflowTrigger]: "Trigger",
  [oid.workflowSha]: "Commit",
  [oid.workflowName]: "Workflow",
  [oid.workflowRepository]: "Repository",
  [oid.workflowRef]: "Ref",
};

/** Describes a signer's certificate. Verifies nothing. @throws DerError */
export function reportCertificate(certificate: Certificate): CertificateReport {
  const { subjects, issuer } = identityOf(certificate);
  const { asymmetricKeyType = "", asymmetricKeyDetails: details } = certificate.publicKey;
  const size = details?.namedCurve ?? (details?.modulusLength ? String(details.modulusLength) : "");
  return {
    subjects: subjects.map((each) => serverMessage(each)),
    ...(issuer !== undefined && { issuer: serverMessage(issuer) }),
    authority: nameOf(new X509Certificate(certificate.der).issuer),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    serialNumber: certificate.serialNumber.toString(16),
    key: `${asymmetricKeyType.toUpperCase()} ${size}`.trim(),
    promises: certificateTimestamps(certificate).length,
    facts: factsOf(certificate),
  };
}

/** A name with the most specific part first. Node.js has each part on its own line, the most general first. */
const nameOf = (lines: string): string => serverMessage(lines.split("\n").reverse().join(", "));

function factsOf({ extensions }: Certificate): CertificateReport["facts"] {
  const found = new Map<string, string>();
  for (const [id, { value }] of extensions) {
    const newer = id.startsWith(fulcio) ? facts[id.slice(fulcio.length)] : undefined;
    if (newer !== undefined) found.set(newer, readText(DerElement.read(value)));
    const older = olderFacts[id];
    if (older !== undefined && !found.has(older)) found.set(older, utf8(value));
  }
  return [...found].map(([name, value]) => ({ name, value: serverMessage(value) }));
}

const fulcio = "1.3.6.1.4.1.57264.1.";

/** An attached item, without where it was found. */
type ItemContent = Omit<AttachedItem, "format" | "place" | "digest">;

interface ItemContext {
  readonly image: Digest;
  /** The kind of a layer, which depends on its tag. A bundle contains its kind. */
  readonly kind: "signature" | "attestation";
  /** Undefined if it could not be loaded. */
  readonly trust: TrustMaterial | undefined;
}

/** Describes something that is attached to an image, and verifies it for any signer. */
export function reportItem(attached: Attached, context: ItemContext): ItemContent {
  const content = attempt(() => attachedContent(attached, context.kind));
  if ("problem" in content) {
    return { kind: context.kind, check: problemReport(content), logEntries: [], timestamps: [] };
  }
  const type = predicateTypeOf(content);
  const kind = attached.kind === "bundle" ? kindOf(type) : context.kind;
  const { times, timestamps } = reportTimestamps(content, context.trust);
  const entries = [content.logEntry, ...(content.otherLogEntries ?? [])];
  const logEntries = entries.flatMap((entry) =>
    entry === undefined ? [] : [reportLogEntry(entry, context.trust, times)],
  );
  return {
    kind,
    ...(type !== undefined && { type: serverMessage(type) }),
    ...checked(attached, { ...context, kind }, anyone(content, context.trust)),
    ...certificateOf(content),
    logEntries,
    timestamps,
  };
}

/** The predicate type in the signed statement. */
function predicateTypeOf({
  payloadType,
  payload,
}: ReturnType<typeof attachedContent>): string | undefined {
  if (payloadType !== inTotoPayloadType) return undefined;
  const statement = attempt(() => readStatement(payload));
  return "problem" in statement ? undefined : statement.predicateType;
}

const kindOf = (predicateType: string | undefined) =>
  predicateType === signPredicateType ? "signature" : "attestation";

function checked(
  attached: Attached,
  { image, kind }: ItemContext,
  rules: ReturnType<typeof anyone>,
): Pick<ItemContent, "check" | "signer" | "signed"> {
  if ("reason" in rules) return { check: unchecked(rules.reason) };
  const result = verifyAttached(attached, image, kind, rules);
  if (!isVerified(result)) return { check: problemReport(result) };
  const { signer, at, provenBy } = result;
  return {
    check: verified,
    signer: reportSigner(signer),
    ...(at && provenBy && { signed: { at: at.toISOString(), by: provenBy } }),
  };
}

function certificateOf({
  certificate: der,
}: ReturnType<typeof attachedContent>): Pick<AttachedItem, "certificate"> {
  if (der === undefined) return {};
  const certificate = attempt(() => reportCertificate(new Certificate(der)));
  return "problem" in certificate ? {} : { certificate };
}

/**
 * The rules for any signer: a certificate of a trusted authority, or the key in the log entry. The time must be proven by the
 * log, or by a timestamp if there is no log entry.
 *
 * @returns a reason without a full stop if nothing can be verified
 */
function anyone(
  content: SignedContent,
  trust: TrustMaterial | undefined,
): VerificationRules | { readonly reason: string } {
  if (trust === undefined) return { reason: "the trusted root could not be loaded" };
  const isOnlyStamped = content.logEntry === undefined && content.timestamps.length > 0;
  const time = isOnlyStamped ? "timestamp" : "log";
  if (content.certificate !== undefined) {
    const root = instanceOf(content.certificate, trust);
    // An instance without a certificate transparency log has no promises of one.
    const certificateLog = root.certificateLogs.length > 0 ? "required" : "ignored";
    const signer = { identities: [anyIdentity], certificateLog } as const;
    return { trust: root, time, signer };
  }
  const key = loggedKey(content);
  if (key !== undefined) return { trust, time, signer: { key } };
  return {
    reason: "signed with a key that is not attached; verify it with a policy that contains the key",
  };
}

/** The one of several trusted roots that has the certificate's issuer, by its name. The verification checks the signature. */
function instanceOf(der: Buffer, trust: TrustMaterial): TrustMaterial {
  const leaf = attempt(() => new Certificate(der));
  if ("problem" in leaf) return trust;
  const listed = trust.certificateAuthorities.find(({ anchors, intermediates }) =>
    [...anchors, ...intermediates].some(({ subject }) => subject.equals(leaf.issuer)),
  );
  return listed?.root ?? trust;
}

const hashes = ["sha256", "sha384", "sha512"] as const;

/** The public key in the log entry. The verification checks whether it matches the signature. */
function loggedKey({ logEntry, bytes, signature }: SignedContent): SignerKey | undefined {
  if (logEntry === undefined) return undefined;
  const entry = attempt(() => readLogBody(logEntry.body));
  if ("problem" in entry) return undefined;
  try {
    const publicKey = readPublicKey(entry.verifierPem);
    // Tools differ in the hash that they use with larger curves.
    const hash = hashes.find((each) => verifies(publicKey, each, bytes, signature));
    return { publicKey, hash };
  } catch (error) {
    if (isPublicKeyError(error)) return undefined;
    throw error;
  }
}
