import { serverMessage } from "../../http/server-message";
import { reportSigner } from "../policy/counted";
import type { Digest } from "../oci/reference/descriptor";
import { Certificate } from "../sigstore/certificate/certificate";
import { inTotoPayloadType, readStatement, signPredicateType } from "../sigstore/format/statement";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import {
  attempt,
  isVerified,
  type SignerKey,
  type VerificationRules,
} from "../sigstore/verification/verification";
import type { SignedContent } from "../sigstore/verification/signed-content";
import type { AttachedItem, LogEntryReport } from "./image-tree";
import { reportCertificate } from "./report-certificate";
import {
  problemReport,
  reportLogEntry,
  reportTimestamps,
  unchecked,
  verified,
} from "./report-proofs";
import { PublicKeyError, readPublicKey, verifies } from "../sigstore/certificate/public-key";
import { readLogBody } from "../sigstore/format/log-body";
import {
  anyIdentity,
  type Attached,
  attachedContent,
  verifyAttached,
} from "../sigstore/verification/verify-attached";

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
    if (error instanceof PublicKeyError) return undefined;
    throw error;
  }
}
