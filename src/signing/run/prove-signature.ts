import { Certificate } from "../sigstore/certificate/certificate";
import type { LogEntry, LogEntryKind } from "../sigstore/format/log-entry";
import type { LogProposal } from "../sigstore/format/log-proposal";
import { requestTimestamp } from "../sigstore/timestamp/request-timestamp";
import { writeEntry } from "../sigstore/transparency-log/write-entry";
import { verifyContent } from "../sigstore/verification/signed-content";
import {
  isVerified,
  type Verification,
  type VerificationRules,
  type Verified,
} from "../sigstore/verification/verification";
import { checkTimestamp } from "../sigstore/verification/timestamp-check";
import { attempt, VerificationError } from "../sigstore/verification/verification-error";
import { checkLoggable } from "./check-loggable";
import type { RunSigner } from "./run-signer";
import { SigningError } from "./signing-error";
import type { SigningRun } from "./signing-run";

/** A new signature, before it is logged. */
export interface FreshSignature {
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
    ...{ bytes, payload, envelope, signature, logEntry, stamped: [stamped] },
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
