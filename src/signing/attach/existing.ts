import { isJsonObject } from "../../json/json-value";
import type { AttachedItem } from "../image/attachments";
import { anyIdentity, verifyAttached } from "../image/verify-attached";
import type { Digest } from "../oci/reference/digest";
import { nextTurn } from "../sigstore/verification/next-turn";
import {
  isVerified,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
  type VerifiedSigner,
} from "../sigstore/verification/verification";
import type { BundlePurpose } from "../sigstore/verification/verify-bundle";
import type { AttestationItem, Existing } from "./conflict";
import type { SigningRun } from "./signing-run";
import { signPredicateType } from "../sigstore/format/statement";

/** An existing signature or attestation, before it is known whether it is ours. */
interface Candidate<T> {
  readonly item: T;
  /** True if our record contains it. */
  readonly isRecorded: boolean;
  /** The signer; undefined if it does not verify for any reason. */
  readonly signer: VerifiedSigner | undefined;
  /** True if it has the content that we would sign. */
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

/** A statement to sign, as far as it is compared with existing ones. */
export interface IntendedStatement {
  /** The full URI. */
  readonly predicateType: string;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string;
  /** Of a predicate that also contains the time: the string in it. */
  readonly timedText?: string | undefined;
}

/** An attestation in the registry, whose content is not read yet. */
interface ListedAttestation<T extends AttachedItem> {
  readonly item: T;
  readonly isRecorded: boolean;
}

/**
 * Reads the attestations that may be of the intended type, and decides which of them are ours. Missing or broken
 * content, and content of others, is not an error.
 *
 * Reads those in our record first, then the small ones: whoever fills the budget must not hide what is ours. The
 * claimed type only saves reading others: cosign 2.6.4 labels each bundle that it makes with a signing config as a
 * signature, attestations too. So what is signed decides about these, after all others are read.
 */
export async function existingAttestations<T extends AttachedItem>(
  run: SigningRun,
  image: Digest,
  listed: readonly ListedAttestation<T>[],
  intended: IntendedStatement,
  purpose: BundlePurpose = "attestation",
): Promise<readonly Existing<T & AttestationItem>[]> {
  if (run.conflict === "APPEND") return [];
  const { predicateType: wanted } = intended;
  const isLast = ({ item: { claimedType: type } }: ListedAttestation<T>) =>
    Number(type === signPredicateType && type !== wanted);
  const order = ({ isRecorded, item }: ListedAttestation<T>) => (isRecorded ? -1 : item.size);
  const inOrder = listed
    .filter(({ item: { claimedType = wanted } }) =>
      [wanted, signPredicateType].includes(claimedType),
    )
    .toSorted((a, b) => isLast(a) - isLast(b) || order(a) - order(b));
  const candidates: Candidate<T & AttestationItem>[] = [];
  for (const { item, isRecorded } of inOrder) {
    const result = await verifiedBy(run, item, image, purpose);
    const verified = result && "statement" in result ? result : undefined;
    const predicateType = verified?.statement.predicateType ?? item.claimedType;
    if (predicateType !== wanted) continue;
    const isSame = verified !== undefined && isSameStatement(verified, intended);
    const statementSha256 = isSame ? intended.statementSha256 : verified?.statementSha256;
    candidates.push({
      item: { ...item, predicateType, statementSha256 },
      isRecorded,
      signer: verified?.signer,
      isSameStatement: isSame,
    });
  }
  return determineOwnership(run, candidates);
}

/** True if a statement is the intended one, apart from the time in it. */
function isSameStatement(
  { statement, statementSha256 }: VerifiedAttestation,
  { predicateType, statementSha256: wanted, timedText }: IntendedStatement,
): boolean {
  if (statement.predicateType !== predicateType) return false;
  if (statementSha256 === wanted) return true;
  const { predicate } = statement;
  return timedText !== undefined && isJsonObject(predicate) && predicate["Data"] === timedText;
}

/**
 * Verifies what is attached, which others may have written; undefined if it is missing or does not verify.
 *
 * Accepts whatever may be ours: by our key, or else by anybody with a trusted certificate, because identities are
 * compared afterwards.
 *
 * @throws InterruptedError at an interrupt or the deadline
 */
export async function verifiedBy(
  run: SigningRun,
  item: AttachedItem,
  image: Digest,
  purpose: BundlePurpose,
): Promise<VerifiedSignature | VerifiedAttestation | undefined> {
  const content = await item.read();
  if ("problem" in content) {
    run.say("did not read what is attached", { item: item.label, problem: content.problem });
    return undefined;
  }
  const { context, services, isLogged } = run;
  await nextTurn(context, () => services.now().getTime());
  const trust = await run.trust();
  const { certificateLog, key } = services;
  const rules: VerificationRules =
    key === undefined
      ? { trust, signer: { identities: [anyIdentity], certificateLog } }
      : { trust, signer: (await run.signer()).expected, time: isLogged ? "log" : "none" };
  const result = verifyAttached(content, image, purpose, rules);
  return isVerified(result) ? result : undefined;
}
