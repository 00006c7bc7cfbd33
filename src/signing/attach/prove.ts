import { Certificate } from "../sigstore/certificate/certificate";
import type { BundledEntry } from "../sigstore/format/bundle";
import { type LogEntry, type LogEntryKind, rekorV2Kind } from "../sigstore/format/log-entry";
import { type LogProposal, proposeDsse, proposeRekorV2 } from "../sigstore/format/log-proposal";
import { requestTimestamp } from "../sigstore/service/request-timestamp";
import { writeEntry, writeRekorV2 } from "../sigstore/service/write-entry";
import { type SignedContent, verifyContent } from "../sigstore/verification/signed-content";
import {
  isVerified,
  type Verification,
  type VerificationRules,
  type Verified,
  attempt,
  VerificationError,
} from "../sigstore/verification/verification";
import { checkTimestamp } from "../sigstore/verification/timestamp-check";
import { checkLoggable, type RunSigner } from "./run-signer";
import { SigningError } from "./signing-error";
import type { BundleServices } from "../provider/signing-services";
import type { SigningRun } from "./signing-run";
import type { LogService } from "../sigstore/trust/signing-config";

/** A new signature, before it is logged. */
interface FreshSignature {
  /** The signed bytes. */
  readonly bytes: Buffer;
  readonly payload: Buffer;
  readonly envelope?: Buffer | undefined;
  readonly signature: Buffer;
  /** What a timestamp is for. @default the signature */
  readonly stamped?: Buffer | undefined;
  readonly proposal: LogProposal;
  readonly logKind: LogEntryKind;
}

/** What later proves when a signature was created. */
export interface Proof {
  /** Undefined if signatures are not logged. */
  readonly logEntry: LogEntry | undefined;
  readonly timestamp: Buffer | undefined;
}

/**
 * Requests a timestamp for a signature, if a timestamp authority is set, and logs the signature unless that is
 * switched off for our key. Then verifies everything, including the certificate: the services' responses are not trusted.
 *
 * The log comes last, because its entries cannot be removed.
 *
 * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
 */
export async function proveSignature(
  run: SigningRun,
  signer: RunSigner,
  fresh: FreshSignature,
): Promise<Proof> {
  const { services, context, rekorUrl, isLogged } = run;
  const { http, timestampUrl } = services;
  const { bytes, payload, envelope, signature, stamped = signature, proposal, logKind } = fresh;
  if (isLogged) checkLoggable(signer, logKind);
  const rules = await rulesForUs(run, signer);
  const timestamp =
    timestampUrl === undefined
      ? undefined
      : await requestTimestamp({ http, context, url: timestampUrl, content: stamped });
  if (timestamp !== undefined) expectStamped(timestamp, stamped, rules);
  const logEntry = isLogged
    ? await writeEntry({ http, context, url: rekorUrl, entry: proposal })
    : undefined;
  if (logEntry !== undefined) {
    run.say("logged a signature", { logIndex: logEntry.logIndex, kind: logKind });
  }
  const content = {
    bytes,
    payload,
    envelope,
    signature,
    logEntry,
    stamped: [stamped],
    certificate: "certificate" in signer.verifier ? signer.verifier.certificate : undefined,
    chain: signer.chainPem.flatMap((pem) => Certificate.fromPem(pem)),
    logKinds: [logKind],
    logProof: "required" as const,
    timestamps: timestamp === undefined ? [] : [timestamp],
  };
  expectVerified(attempt(() => verifyContent(content, rules)));
  return { logEntry, timestamp };
}

/** Before anything is logged: an entry with a timestamp that nobody accepts would stay for ever. */
function expectStamped(timestamp: Buffer, stamped: Buffer, { trust }: VerificationRules): void {
  try {
    const result = checkTimestamp(timestamp, [stamped], trust.timestampAuthorities);
    if ("unlisted" in result) throw new VerificationError("TIMESTAMP", result.unlisted);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw new SigningError(
      "UNVERIFIED",
      `the timestamp does not verify, so nothing was written, not even to the log: ${error.message}`,
      error,
    );
  }
}

/** The rules by which our own signatures must verify, with the log entry and the timestamp. */
export async function rulesForUs(run: SigningRun, signer: RunSigner): Promise<VerificationRules> {
  const isStamped = run.services.timestampUrl !== undefined;
  const logged = isStamped ? "log-and-timestamp" : "log";
  const unlogged = isStamped ? "timestamp" : "none";
  return {
    trust: await run.trust(),
    signer: signer.expected,
    time: run.isLogged ? logged : unlogged,
  };
}

/**
 * Returns a verification result, or throws if verification failed.
 *
 * @throws SigningError `UNVERIFIED`
 */
export function expectVerified<T extends Verified>(result: Verification<T>): T {
  if (isVerified(result)) return result;
  throw new SigningError(
    "UNVERIFIED",
    `the new signature does not verify with what the signing services returned, so nothing was written: ${result.problem}`,
  );
}

/** A new signature of a DSSE envelope. */
interface FreshEnvelope {
  /** The signed bytes. */
  readonly bytes: Buffer;
  /** The statement. */
  readonly payload: Buffer;
  /** The envelope as JSON. */
  readonly text: Buffer;
  readonly signature: Buffer;
}

/** The evidence for a bundle. */
interface BundleProof {
  readonly logEntries: readonly BundledEntry[];
  readonly timestamps: readonly Buffer[];
}

/**
 * Requests timestamps for a signature, then logs it, and verifies each response.
 *
 * With timestamps, which version 2 of the log needs, the signature and its certificate are verified before
 * anything is logged: entries cannot be removed.
 *
 * @returns undefined if a log already has this entry but cannot return it
 * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
 */
export async function proveBundle(
  run: SigningRun,
  signer: RunSigner,
  fresh: FreshEnvelope,
  { logs: available, timestampUrls }: BundleServices,
): Promise<BundleProof | undefined> {
  const { http } = run.services;
  const { context } = run;
  const { bytes, payload, signature } = fresh;
  const logs = run.isLogged ? available : [];
  for (const log of logs) checkLoggable(signer, kindOf(log));
  const rules = await rulesForUs(run, signer);
  const timestamps: Buffer[] = [];
  for (const url of timestampUrls) {
    timestamps.push(await requestTimestamp({ http, context, url, content: signature }));
  }
  const content: SignedContent = {
    bytes,
    payload,
    signature,
    timestamps,
    chain: [],
    certificate: "certificate" in signer.verifier ? signer.verifier.certificate : undefined,
    logEntry: undefined,
    logProof: "required",
    logKinds: ["dsse/0.0.1", rekorV2Kind],
  };
  const isStamped = timestamps.length > 0 || logs.some(({ version }) => version === 2);
  if (isStamped) {
    expectVerified(attempt(() => verifyContent(content, { ...rules, time: "timestamp" })));
  }
  const time = isStamped ? "log-and-timestamp" : "log";
  const logEntries: BundledEntry[] = [];
  for (const log of logs) {
    const logEntry = await writeTo(log, run, signer, fresh);
    if (logEntry === undefined) return undefined;
    const kind = kindOf(log);
    run.say("logged a signature", { logIndex: logEntry.logIndex, kind });
    const logged = { ...content, logEntry, logKinds: [kind] };
    expectVerified(attempt(() => verifyContent(logged, { ...rules, time })));
    logEntries.push({ ...logEntry, kind });
  }
  return { logEntries, timestamps };
}

async function writeTo(
  { url, version }: LogService,
  { services: { http }, context }: SigningRun,
  { publicKey: key, verifier, verifierPem }: RunSigner,
  { bytes, signature, text }: FreshEnvelope,
): Promise<LogEntry | undefined> {
  if (version === 1) {
    return writeEntry({ http, context, url, entry: proposeDsse(text, verifierPem) });
  }
  const entry = proposeRekorV2({ bytes, signature, verifier, key });
  return writeRekorV2({ http, context, url, entry });
}

function kindOf({ version }: LogService): "dsse/0.0.1" | "hashedrekord/0.0.2" {
  return version === 1 ? "dsse/0.0.1" : rekorV2Kind;
}
