import { isJsonObject } from "../../json/json-value";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { isAboutContent, RegistryError } from "../oci/protocol/registry-error";
import type { BlobName } from "../oci/registry/blobs";
import { nextTurn } from "../sigstore/verification/next-turn";
import {
  type IdentityRule,
  isVerified,
  type Verification,
  type VerificationRules,
  type Verified,
  type VerifiedAttestation,
  type VerifiedSigner,
} from "../sigstore/verification/verification";
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
export interface ListedAttestation<T> {
  readonly item: T;
  /** The predicate type that an annotation claims. */
  readonly claimedType: string | undefined;
  /** Undefined if the content cannot be an attestation. */
  readonly blob: BlobName | undefined;
  readonly isRecorded: boolean;
  /** Verifies the content. */
  readonly verify: (content: Buffer, rules: VerificationRules) => Verification<VerifiedAttestation>;
}

/**
 * Reads the attestations that may be of the intended type, and decides which of them are ours. Missing or broken
 * content, and content of others, is not an error.
 *
 * Reads those in our record first, then the small ones: whoever fills the budget must not hide what is ours. The
 * claimed type only saves reading others: cosign 2.6.4 labels each bundle that it makes with a signing config as a
 * signature, attestations too. So what is signed decides about these, after all others are read.
 */
export async function existingAttestations<T>(
  run: SigningRun,
  listed: readonly ListedAttestation<T>[],
  intended: IntendedStatement,
  budget: ReadBudget,
): Promise<readonly Existing<T & AttestationItem>[]> {
  if (run.conflict === "APPEND") return [];
  const { predicateType: wanted } = intended;
  const isLast = ({ claimedType: type }: ListedAttestation<T>) =>
    Number(type === signPredicateType && type !== wanted);
  const order = ({ isRecorded, blob }: ListedAttestation<T>) =>
    isRecorded ? -1 : (blob?.size ?? 0);
  const inOrder = listed
    .filter(({ claimedType = wanted }) => [wanted, signPredicateType].includes(claimedType))
    .toSorted((a, b) => isLast(a) - isLast(b) || order(a) - order(b));
  const candidates: Candidate<T & AttestationItem>[] = [];
  for (const each of inOrder) {
    const content = each.blob && (await readAttachedBlob(run, each.blob, budget));
    const verified = await verifiedBy(run, content, each.verify);
    const predicateType = verified?.statement.predicateType ?? each.claimedType;
    if (predicateType !== wanted) continue;
    const isSame = verified !== undefined && isSameStatement(verified, intended);
    const statementSha256 = isSame ? intended.statementSha256 : verified?.statementSha256;
    candidates.push({
      item: { ...each.item, predicateType, statementSha256 },
      isRecorded: each.isRecorded,
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

/** Reads attached content; undefined if it is missing, broken, or too large for the rest of the budget. */
export async function readAttachedBlob(
  run: SigningRun,
  blob: BlobName,
  budget: ReadBudget,
): Promise<Buffer | undefined> {
  if (!budget.take(blob.size)) {
    run.say("did not read what is attached: it is too large", {
      blob: blob.digest,
      bytes: blob.size,
    });
    return undefined;
  }
  try {
    return await run.services.registry.blobs.get(run.repository, blob, run.context);
  } catch (error) {
    if (error instanceof RegistryError && isAboutContent(error)) return undefined;
    throw error;
  }
}

/**
 * Verifies attached content that others may have written; undefined if it is missing or does not verify.
 *
 * Accepts whatever may be ours: by our key, or else by anybody with a trusted certificate, because identities are
 * compared afterwards.
 *
 * @throws InterruptedError at an interrupt or the deadline
 */
export async function verifiedBy<T extends Verified>(
  run: SigningRun,
  content: Buffer | undefined,
  verify: (content: Buffer, rules: VerificationRules) => Verification<T>,
): Promise<T | undefined> {
  if (content === undefined) return undefined;
  const { context, services, isLogged } = run;
  await nextTurn(context, () => services.now().getTime());
  const trust = await run.trust();
  const { certificateLog, key } = services;
  const rules: VerificationRules =
    key === undefined
      ? { trust, signer: { identities: [anyIdentity], certificateLog } }
      : { trust, signer: (await run.signer()).expected, time: isLogged ? "log" : "none" };
  const result = verify(content, rules);
  return isVerified(result) ? result : undefined;
}

const anyString = { contains: { source: "", isFoundIn: () => true } };
const anyIdentity: IdentityRule = { subject: anyString, issuer: anyString };
