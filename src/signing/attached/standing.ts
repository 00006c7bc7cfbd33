import type { Existing } from "../conflict/conflict";
import type { SigningRun } from "../run/signing-run";
import { IdentityPattern, type IdentityRule } from "../sigstore/verification/identity-rule";
import type { VerificationRules, VerifiedSigner } from "../sigstore/verification/verification";

/** Something that is there, as far as it can be told without knowing who we are. */
export interface Candidate<T> {
  readonly item: T;
  /** Whether we remember to have written it. */
  readonly isRecorded: boolean;
  /** Who made it; undefined when it does not verify, whatever the reason. */
  readonly signer: VerifiedSigner | undefined;
  /** Whether it says what we would say. */
  readonly isSameStatement: boolean;
}

/**
 * Which of the candidates are ours: those that verify and that we remember, or whose signer has the name
 * and the issuer of our certificate. To be replaced, what we remember need not verify.
 *
 * We are asked who we are, which may need a token and a certificate, only when it depends on that.
 */
export async function standings<T>(
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
    return { item, standing: isOurs ? "ours" : "other" };
  });
}

/** Everybody whom a trusted authority has certified: who it is, is compared afterwards. */
export async function rulesForAnybody(run: SigningRun): Promise<VerificationRules> {
  return { trust: await run.trust(), signer: { identities: [anybody] } };
}

const anything = { contains: new IdentityPattern("") };
const anybody: IdentityRule = { subject: anything, issuer: anything };
