import type { Existing } from "./conflict";
import type { SigningRun } from "./signing-run";
import type {
  IdentityRule,
  VerificationRules,
  VerifiedSigner,
} from "../sigstore/verification/verification";
import { nextTurn } from "../sigstore/verification/next-turn";

/** An existing signature or attestation, before it is known whether it is ours. */
export interface Candidate<T> {
  readonly item: T;
  /** Whether our record contains it. */
  readonly isRecorded: boolean;
  /** The signer; undefined if it does not verify for any reason. */
  readonly signer: VerifiedSigner | undefined;
  /** Whether it has the content that we would sign. */
  readonly isSameStatement: boolean;
}

/**
 * Decides which candidates are ours: those that verify and are in our record, or whose signer has our key, or
 * the subject and the issuer of our certificate. To replace what is in our record, it need not verify.
 *
 * Requests our certificate, which may need a token, only if the decision depends on it.
 */
export async function determineOwnership<T>(
  run: SigningRun,
  candidates: readonly Candidate<T>[],
): Promise<readonly Existing<T>[]> {
  const isSkip = run.conflict === "SKIPSAME";
  const isEnough =
    isSkip && candidates.some((each) => each.isRecorded && each.signer && each.isSameStatement);
  const isUndecided = candidates.some((each) => !each.isRecorded && each.signer !== undefined);
  const us = isUndecided && !isEnough && run.conflict !== "APPEND" ? await run.signer() : undefined;
  return candidates.map(({ item, isRecorded, signer }) => {
    const isOurs = isRecorded
      ? signer !== undefined || !isSkip
      : signer !== undefined && us?.isSignerOf(signer) === true;
    return { item, ownership: isOurs ? "ours" : "other" };
  });
}

/**
 * Lets an interrupt or the deadline end the run. Called before each verification of something that others may
 * have written.
 *
 * @throws InterruptedError
 */
export function giveWay({ context, services }: SigningRun): Promise<void> {
  return nextTurn(context, () => services.now().getTime());
}

/**
 * Rules that accept whatever may be ours: by our key, or else by anybody with a trusted certificate, because
 * identities are compared afterwards.
 */
export async function rulesForAnySigner(run: SigningRun): Promise<VerificationRules> {
  const { certificateLog, key } = run.services;
  if (key !== undefined) {
    const { expected } = await run.signer();
    return { trust: await run.trust(), signer: expected, time: run.isLogged ? "log" : "none" };
  }
  return { trust: await run.trust(), signer: { identities: [anyIdentity], certificateLog } };
}

const anyString = { contains: { source: "", isFoundIn: () => true } };
const anyIdentity: IdentityRule = { subject: anyString, issuer: anyString };
