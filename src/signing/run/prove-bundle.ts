import { rekorV2Kind, type LogEntry, type LogEntryKind } from "../sigstore/format/log-entry";
import { proposeDsse } from "../sigstore/format/log-proposal";
import { proposeRekorV2 } from "../sigstore/format/rekor-v2-entry";
import { requestTimestamp } from "../sigstore/timestamp/request-timestamp";
import { writeEntry } from "../sigstore/transparency-log/write-entry";
import { writeRekorV2 } from "../sigstore/transparency-log/write-rekor-v2";
import type { LogService } from "../sigstore/trust/signing-config";
import { verifyContent, type SignedContent } from "../sigstore/verification/signed-content";
import { attempt } from "../sigstore/verification/verification-error";
import { checkLoggable } from "./check-loggable";
import { expectVerified, rulesForUs } from "./prove-signature";
import type { RunSigner } from "./run-signer";
import type { SigningRun } from "./signing-run";
import type { BundleServices } from "./signing-services";

/** A new signature of a DSSE envelope. */
export interface FreshEnvelope {
  /** The signed bytes. */
  readonly bytes: Buffer;
  /** The statement. */
  readonly payload: Buffer;
  /** The envelope as JSON. */
  readonly text: Buffer;
  readonly signature: Buffer;
}

/** The evidence for a bundle. */
export interface BundleProof {
  readonly logEntries: readonly LogEntry[];
  readonly logEntryKinds: readonly LogEntryKind[];
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
    ...{ bytes, payload, signature, timestamps, chain: [] },
    certificate: "certificate" in signer.verifier ? signer.verifier.certificate : undefined,
    ...{ logEntry: undefined, logProof: "required", logKinds: ["dsse/0.0.1", rekorV2Kind] },
  };
  const isStamped = timestamps.length > 0 || logs.some(({ version }) => version === 2);
  if (isStamped) {
    expectVerified(attempt(() => verifyContent(content, { ...rules, time: "timestamp" })));
  }
  const time = isStamped ? "log-and-timestamp" : "log";
  const logEntries: LogEntry[] = [];
  for (const log of logs) {
    const logEntry = await writeTo(log, run, signer, fresh);
    if (logEntry === undefined) return undefined;
    const kind = kindOf(log);
    run.say("logged a signature", { logIndex: logEntry.logIndex, kind });
    const logged = { ...content, logEntry, logKinds: [kind] };
    expectVerified(attempt(() => verifyContent(logged, { ...rules, time })));
    logEntries.push(logEntry);
  }
  return { logEntries, logEntryKinds: logs.map(kindOf), timestamps };
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
  return (await writeRekorV2({ http, context, url, entry }))?.entry;
}

function kindOf({ version }: LogService): "dsse/0.0.1" | "hashedrekord/0.0.2" {
  return version === 1 ? "dsse/0.0.1" : rekorV2Kind;
}
