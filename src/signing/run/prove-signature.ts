import { sign } from "node:crypto";
import { Certificate } from "../sigstore/certificate/certificate";
import type { Signer } from "../sigstore/certificate-authority/signing-certificate";
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
import { attempt } from "../sigstore/verification/verification-error";
import { SigningError } from "./signing-error";
import { exactly, signerIdentity, type SigningRun } from "./signing-run";

/** A signature that was just made. */
export interface FreshSignature {
  /** What the signature covers. */
  readonly bytes: Buffer;
  readonly payload: Buffer;
  readonly envelope?: Buffer | undefined;
  readonly signature: Buffer;
  readonly proposal: LogProposal;
  readonly logKind: LogEntryKind;
}

/** By what a signature can be verified later. */
export interface Proof {
  readonly logEntry: LogEntry;
  readonly timestamp: Buffer | undefined;
}

export function signBytes(bytes: Uint8Array, { privateKey }: Signer): Buffer {
  return sign("sha256", bytes, privateKey);
}

/**
 * Has a signature time-stamped, if there is an authority for that, and logged; then verifies all of it,
 * with the certificate: what the services gave is not believed.
 *
 * The log comes last, since what is in it stays there.
 *
 * @throws SigningError `UNVERIFIED`, ServiceError
 */
export async function proveSignature(
  run: SigningRun,
  signer: Signer,
  fresh: FreshSignature,
): Promise<Proof> {
  const { services, context, rekorUrl } = run;
  const { http, timestampUrl } = services;
  const { bytes, payload, envelope, signature, proposal, logKind } = fresh;
  const rules = await rulesForUs(run, signer);
  const timestamp =
    timestampUrl === undefined
      ? undefined
      : await requestTimestamp({ http, context, url: timestampUrl, content: signature });
  const logEntry = await writeEntry({ http, context, url: rekorUrl, entry: proposal });
  run.say("logged a signature", { logIndex: logEntry.logIndex, kind: logKind });
  const content = {
    ...{ bytes, payload, envelope, signature, logEntry },
    certificate: signer.leaf.raw,
    chain: signer.chainPem.flatMap((pem) => Certificate.fromPem(pem)),
    logKinds: [logKind],
    logProof: "required" as const,
    timestamps: timestamp === undefined ? [] : [timestamp],
  };
  expectVerified(attempt(() => verifyContent(content, rules)));
  return { logEntry, timestamp };
}

/** What we make must verify as ours, with all that it was given. */
export async function rulesForUs(run: SigningRun, signer: Signer): Promise<VerificationRules> {
  return {
    trust: await run.trust(),
    signer: { identities: [exactly(signerIdentity(signer))] },
    time: run.services.timestampUrl === undefined ? "log" : "log-and-time-stamp",
  };
}

/** @throws SigningError `UNVERIFIED` */
export function expectVerified<T extends Verified>(result: Verification<T>): T {
  if (isVerified(result)) return result;
  throw new SigningError(
    "UNVERIFIED",
    `what the signing services gave does not verify, so nothing was written: ${result.problem}`,
  );
}
