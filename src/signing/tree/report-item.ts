import { serverMessage } from "../../http/server-message";
import { type Attached, verifyAttached } from "../image/verify-attached";
import { reportSigner } from "../policy/counted";
import type { Digest } from "../oci/reference/digest";
import { Certificate } from "../sigstore/certificate/certificate";
import { inTotoPayloadType } from "../sigstore/format/dsse";
import { readStatement, signPredicateType } from "../sigstore/format/statement";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { attempt, isVerified } from "../sigstore/verification/verification";
import { bundleContent } from "../sigstore/verification/verify-bundle";
import {
  attestationContent,
  type EnvelopeContent,
  signatureContent,
} from "../sigstore/verification/verify-layer";
import type { SignedContent } from "../sigstore/verification/signed-content";
import { anyone } from "./anyone";
import type { AttachedItem, LogEntryReport } from "./image-tree";
import { reportCertificate } from "./report-certificate";
import {
  problemReport,
  reportLogEntry,
  reportTimestamps,
  unchecked,
  verified,
} from "./report-proofs";

/** What is attached to an image, as far as its content says it. */
type ItemContent = Omit<AttachedItem, "format" | "place" | "digest">;

/** The image that something is attached to, and what it is verified against. */
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
  const content = attempt(() => contentOf(attached, context.kind));
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

type Content = SignedContent & Partial<Pick<EnvelopeContent, "payloadType">>;

function contentOf(attached: Attached, kind: ItemContext["kind"]): Content {
  if (attached.kind === "bundle") return bundleContent(attached.bytes);
  return kind === "signature"
    ? signatureContent(attached.layer)
    : attestationContent(attached.layer);
}

/** The predicate type that the statement claims, which is signed. */
function predicateTypeOf({ payloadType, payload }: Content): string | undefined {
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

function certificateOf({ certificate: der }: Content): Pick<AttachedItem, "certificate"> {
  if (der === undefined) return {};
  const certificate = attempt(() => reportCertificate(new Certificate(der)));
  return "problem" in certificate ? {} : { certificate };
}
