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
import type { AttachedItem, CertificateReport, LogEntryReport } from "./image-tree";
import {
  problemReport,
  reportLogEntry,
  reportTimestamps,
  unchecked,
  verified,
} from "./report-proofs";

/**
 * What Fulcio confirms about a workflow, by the last number of the extension.
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

/** The same of older certificates, as raw bytes. */
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

/** A name in the order in which people read it. Node.js has one part on each line. */
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

/** What is attached to an image, as far as its content says it. */
type ItemContent = Omit<AttachedItem, "format" | "place" | "digest">;

interface ItemContext {
  readonly image: Digest;
  /** What a layer is by its tag. A bundle says it itself. */
  readonly kind: "signature" | "attestation";
  /** Undefined if it could not be loaded. */
  readonly trust: TrustMaterial | undefined;
}

/**
 * Describes something that is attached to an image, and verifies it whoever has signed it. Content that cannot be read is
 * described as such.
 */
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
    ...checked(attached, { ...context, kind }, anyone(content, context.trust), logEntries),
    ...certificateOf(content),
    logEntries,
    timestamps,
  };
}

/** The predicate type that the statement claims, which is signed. */
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
  context: ItemContext,
  rules: ReturnType<typeof anyone>,
  [entry]: readonly LogEntryReport[],
): Pick<ItemContent, "check" | "signer" | "signed"> {
  if ("reason" in rules) return { check: unchecked(rules.reason) };
  const result = verifyAttached(attached, context.image, context.kind, rules);
  if (!isVerified(result)) return { check: problemReport(result) };
  const { signer, at, log } = result;
  // Entries of version 2 of the log have no time.
  const by = log !== undefined && entry?.time !== undefined ? "log" : "timestamp";
  return {
    check: verified,
    signer: reportSigner(signer),
    ...(at && { signed: { at: at.toISOString(), by } }),
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
 * The rules by which something is verified whoever has signed it: with a certificate of a trusted authority, or with the key
 * that the log entry names. The time must be proven by whatever evidence there is.
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
  return { reason: "signed with a key that it does not contain; a policy can name the key" };
}

/** Of several trusted roots, the one with the certificate's issuer. The verification checks that it is. */
function instanceOf(der: Buffer, trust: TrustMaterial): TrustMaterial {
  const leaf = attempt(() => new Certificate(der));
  if ("problem" in leaf) return trust;
  const listed = trust.certificateAuthorities.find(({ anchors, intermediates }) =>
    [...anchors, ...intermediates].some(({ subject }) => subject.equals(leaf.issuer)),
  );
  return listed?.root ?? trust;
}

const hashes = ["sha256", "sha384", "sha512"] as const;

/** The public key in the log entry. Whether it fits the signature is verified. */
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
