import type { Existing } from "../conflict/conflict";
import type { SigningRun } from "../run/signing-run";
import { IdentityPattern, type IdentityRule } from "../sigstore/verification/identity-rule";
import { nextTurn } from "../sigstore/verification/next-turn";
import type { VerificationRules, VerifiedSigner } from "../sigstore/verification/verification";

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
 * Decides which candidates are ours: those that verify and are in our record, or whose signer has the
 * subject and the issuer of our certificate. To replace what is in our record, it need not verify.
 *
 * Requests our identity, which may need a token and a certificate, only if the decision depends on it.
 */
export async function determineOwnership<T>(
  run: SigningRun,
  candidates: readonly Candidate<T>[],
): Promise<readonly Existing<T>[]> {
  const isSkip = run.conflict === "SKIPSAME";
  const isEnough =
    isSkip && candidates.some((each) => each.isRecorded && each.signer && each.isSameStatement);
  const isUndecided = candidates.some((each) => !each.isRecorded && each.signer !== undefined);
  const us =
    isUndecided && !isEnough && run.conflict !== "APPEND" ? await run.identity() : undefined;
  return candidates.map(({ item, isRecorded, signer }) => {
    const isOurs = isRecorded
      ? signer !== undefined || !isSkip
      : signer?.kind === "identity" &&
        signer.otherSubjects.length === 0 &&
        signer.subject === us?.subject &&
        signer.issuer === us.issuer;
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

/** Rules that accept every signer with a trusted certificate. The identity is compared afterwards. */
export async function rulesForAnySigner(run: SigningRun): Promise<VerificationRules> {
  const { certificateLog } = run.services;
  return { trust: await run.trust(), signer: { identities: [anyIdentity], certificateLog } };
}

const anyString = { contains: new IdentityPattern("") };
const anyIdentity: IdentityRule = { subject: anyString, issuer: anyString };
