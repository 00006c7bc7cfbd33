import { isDeepStrictEqual } from "node:util";
import type { CallContext } from "../../http/call-context";
import { isJsonObject } from "../../json/plain-json";
import type { AttachedItem, Attachments } from "../image/attachments";
import type { Digest } from "../oci/reference/descriptor";
import {
  type DigestReference,
  formatRepository,
  type Repository,
} from "../oci/reference/image-name";
import type { SignatureFormat, SigningServices } from "../provider/services";
import type { LogEntryKind } from "../sigstore/format/log-entry";
import { readStatement, signPredicateType } from "../sigstore/format/statement";
import { nextTurn } from "../sigstore/verification/next-turn";
import {
  isVerified,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
  type VerifiedSigner,
} from "../sigstore/verification/verification";
import {
  anyIdentity,
  type BundlePurpose,
  verifyAttached,
} from "../sigstore/verification/verify-attached";
import type { Written, WrittenLayer } from "./attached-layers";
import type { Conflict } from "./enums";
import { type ServiceUrls, SignatureRun } from "./signature-run";
import { signingError } from "./signing-error";

export interface SigningRequest extends ServiceUrls {
  readonly image: DigestReference;
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** True to sign or attest the images of an index, too. @default true for signatures, false for attestations */
  readonly isRecursive?: boolean | undefined;
  /** True to find what is attached already: instead of signing anything, the run fails. @default false */
  readonly isLookOnly?: boolean | undefined;
  /** Our record of earlier runs. What it lists is ours, even without an identity token. */
  readonly previous?: Written | undefined;
}

/** A payload to sign: a statement, or the payload of a legacy signature. */
export interface Intended {
  readonly bytes: Buffer;
  /** Payloads of the same type conflict: the full URI of the predicate type; the digest of a legacy signature's payload. */
  readonly type: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Of a predicate that also contains the time: the string in it. */
  readonly timedText?: string | undefined;
}

/** Something attached, before its content is read. */
interface Listed<T extends AttachedItem> {
  readonly item: T;
  readonly isRecorded: boolean;
}

/** One run of signing or attesting images in a repository, with our record of earlier runs. */
export class SigningRun extends SignatureRun<SigningServices> {
  readonly repository: Repository;
  readonly conflict: Conflict;
  /** The kind of the log entry for a layer; undefined if only bundles are written. */
  readonly layerKind: LogEntryKind | undefined;
  readonly hasBundles: boolean;
  readonly #isLookOnly: boolean;
  readonly #previous: Written | undefined;

  constructor(
    request: SigningRequest,
    layerKind: LogEntryKind,
    services: SigningServices,
    context: CallContext,
  ) {
    super(request, services, context);
    const { image, conflict, format, previous, isLookOnly = false } = request;
    this.repository = { registry: image.registry, path: image.path };
    this.conflict = conflict;
    this.#isLookOnly = isLookOnly;
    this.layerKind = format === "bundle" ? undefined : layerKind;
    this.hasBundles = format !== "legacy";
    // What was written to another repository is not ours here.
    const isKnown = previous?.repository === formatRepository(this.repository);
    this.#previous = isKnown ? previous : undefined;
  }

  override get logKinds(): readonly LogEntryKind[] {
    return this.layerKind === undefined ? [] : [this.layerKind];
  }

  /** Must be called before anything is signed or removed. @throws SigningError `NOT_ATTACHED` if the run only looks */
  begin(): void {
    if (!this.#isLookOnly) return;
    throw signingError("NOT_ATTACHED", "the image has no signature or attestation by this signer");
  }

  /** The layers under a tag in our record, by their keys. */
  recordedLayers(tag: string): ReadonlyMap<string, WrittenLayer> {
    const under = this.#previous?.layers.filter((each) => each.tag === tag) ?? [];
    return new Map(under.map((each) => [`${each.digest} ${each.signature}`, each]));
  }

  recordedBundles(image: Digest): ReadonlySet<Digest> {
    const about = this.#previous?.bundles.filter(({ subject }) => subject === image) ?? [];
    return new Set(about.map(({ digest }) => digest));
  }

  /**
   * Reads what may be in conflict with the intended payload, and decides what of it is ours. Missing or broken content, and
   * content of others, is not an error.
   *
   * Reads those in our record first, then the small ones: whoever fills the budget must not hide what is ours. Others are
   * skipped by their claimed type, except that cosign 2.6.4 labels each bundle that it makes with a signing config as a
   * signature, attestations too. The signed content decides about these, after all others are read.
   */
  async existing<T extends AttachedItem>(
    { image }: Attachments,
    purpose: BundlePurpose,
    listed: readonly Listed<T>[],
    intended: Intended,
  ): Promise<readonly Existing<T>[]> {
    if (this.conflict === "APPEND") return [];
    const { type: wanted } = intended;
    const isLast = ({ item: { claimedType: type } }: Listed<T>) =>
      Number(type === signPredicateType && type !== wanted);
    const order = ({ isRecorded, item }: Listed<T>) => (isRecorded ? -1 : item.size);
    const inOrder = listed
      .filter(({ item: { claimedType = wanted } }) =>
        [wanted, signPredicateType].includes(claimedType),
      )
      .toSorted((a, b) => isLast(a) - isLast(b) || order(a) - order(b));
    const candidates: Candidate<T>[] = [];
    for (const { item, isRecorded } of inOrder) {
      const verified = await this.#verified(item, image, purpose);
      const type =
        verified && "statement" in verified ? verified.statement.predicateType : undefined;
      if ((type ?? item.claimedType) !== wanted) continue;
      const isSame = verified !== undefined && isIntended(verified, intended);
      candidates.push({ item, isRecorded, isSame, signer: verified?.signer });
    }
    return this.#ofOurs(candidates);
  }

  /**
   * Decides which candidates are ours: those that verify and are in our record, or whose signer has our key, or
   * the subject and the issuer of our certificate. To replace what is in our record, it need not verify.
   *
   * Requests our certificate, which may need a token, only if the decision depends on it.
   */
  async #ofOurs<T>(candidates: readonly Candidate<T>[]): Promise<readonly Existing<T>[]> {
    const isSkip = this.conflict === "SKIPSAME";
    const isEnough =
      isSkip && candidates.some((each) => each.isRecorded && each.signer && each.isSame);
    const isUndecided = candidates.some((each) => !each.isRecorded && each.signer !== undefined);
    const us = isUndecided && !isEnough ? await this.signer() : undefined;
    return candidates.map(({ item, isRecorded, isSame, signer }) => {
      const isOurs = isRecorded
        ? signer !== undefined || !isSkip
        : signer !== undefined && us?.isSignerOf(signer) === true;
      return { item, isOurs, isSame };
    });
  }

  /**
   * Verifies what is attached, which others may have written; undefined if it is missing or does not verify.
   *
   * Accepts whatever may be ours: by our key, or else by anybody with a trusted certificate, because identities are
   * compared afterwards.
   *
   * @throws HttpError at an interrupt or the deadline
   */
  async #verified(
    item: AttachedItem,
    image: Digest,
    purpose: BundlePurpose,
  ): Promise<VerifiedSignature | VerifiedAttestation | undefined> {
    const content = await item.read();
    if ("problem" in content) {
      this.say("did not read what is attached", { item: item.label, problem: content.problem });
      return undefined;
    }
    const { certificateLog, key, now } = this.services;
    await nextTurn(this.context, () => now().getTime());
    const trust = await this.trust();
    const rules: VerificationRules =
      key === undefined
        ? { trust, signer: { identities: [anyIdentity], certificateLog } }
        : { trust, signer: (await this.signer()).expected, time: this.isLogged ? "log" : "none" };
    const result = verifyAttached(content, image, purpose, rules);
    return isVerified(result) ? result : undefined;
  }
}

interface Candidate<T> extends Pick<Existing<T>, "item" | "isSame"> {
  readonly isRecorded: boolean;
  /** The signer; undefined if it does not verify for any reason. */
  readonly signer: VerifiedSigner | undefined;
}

/**
 * True if a statement has the intended content, apart from the time in it. A signature contains only the image. In bundles,
 * cosign 3 describes the subject with annotations, or with a name.
 */
function isIntended(
  verified: VerifiedSignature | VerifiedAttestation,
  { type, sha256, timedText, bytes }: Intended,
): boolean {
  if (!("statement" in verified)) return true;
  const { statement, statementSha256 } = verified;
  if (statement.predicateType !== type) return false;
  if (statementSha256 === sha256 || type === signPredicateType) return true;
  const { predicate } = statement;
  if (timedText !== undefined) return isJsonObject(predicate) && predicate["Data"] === timedText;
  const { subjects, predicate: wanted } = readStatement(bytes);
  const isLegacy = subjects.some(({ name }) => name !== undefined);
  return !isLegacy && isDeepStrictEqual(predicate, wanted);
}

/** Where a signature or an attestation is stored. */
export type Form = "signature-layer" | "attestation-layer" | "bundle";

/** A signature of the same payload as the intended one, or an attestation of the same type. */
export interface Existing<T> {
  readonly item: T;
  /**
   * True if it verifies and the expected signer created it. Everything else belongs to others or is broken, and is never
   * removed.
   */
  readonly isOurs: boolean;
  /** True if it has the intended content. */
  readonly isSame: boolean;
}

/** What we have put there: nothing, the intended content, only other content, or the intended content and more. */
type Found = "nothing" | "same" | "other" | "same and more";

/**
 * `add` signs. `replace` signs, and removes all our earlier signatures. `keep` signs nothing; `keep one` also removes our
 * signatures without the intended content.
 */
type Plan = "add" | "replace" | "keep" | "keep one";

/** A signature of the same payload is no duplicate to remove. A tag is written only with something new. */
const duplicates: Readonly<Record<Form, Plan>> = {
  "signature-layer": "keep",
  "attestation-layer": "replace",
  bundle: "keep one",
};

const plans = (form: Form): Readonly<Record<Conflict, Readonly<Record<Found, Plan>>>> => ({
  APPEND: { nothing: "add", same: "add", other: "add", "same and more": "add" },
  REPLACE: { nothing: "add", same: "replace", other: "replace", "same and more": "replace" },
  SKIPSAME: { nothing: "add", same: "keep", other: "replace", "same and more": duplicates[form] },
});

export interface Decision<T> {
  /** Ours with the intended content, because of which nothing is signed; undefined to sign. */
  readonly keep: T | undefined;
  /** Ours to remove, after what replaces it is written. */
  readonly remove: readonly T[];
}

export function decide<T>(
  conflict: Conflict,
  form: Form,
  existing: readonly Existing<T>[],
): Decision<T> {
  const ours = existing.filter(({ isOurs }) => isOurs);
  const same = ours.find(({ isSame }) => isSame);
  const rest = ours.filter((each) => each !== same);
  const items = (those: readonly Existing<T>[]): readonly T[] => those.map(({ item }) => item);
  switch (plans(form)[conflict][foundOf(same, rest)]) {
    case "add":
      return { keep: undefined, remove: [] };
    case "replace":
      return { keep: undefined, remove: items(ours) };
    case "keep":
      return { keep: same?.item, remove: [] };
    case "keep one":
      return { keep: same?.item, remove: items(rest) };
  }
}

function foundOf(same: unknown, { length }: readonly unknown[]): Found {
  if (same === undefined) return length === 0 ? "nothing" : "other";
  return length === 0 ? "same" : "same and more";
}

/** True if new layers come before the kept ones, as other tools order what they replace. */
export const comesFirst = (conflict: Conflict, form: Form): boolean =>
  conflict === "REPLACE" || (conflict === "SKIPSAME" && form === "attestation-layer");
