import { randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import {
  algorithmOf,
  type Digest,
  type DigestAlgorithm,
  digestOf,
  tagOfDigest,
  describeReferrer,
  type Descriptor,
  isIndexType,
  mediaTypes,
  readDescriptor,
  readDescriptors,
} from "../reference/descriptor";
import { formatRepository, type Repository } from "../reference/image-name";
import { RegistryError, type RegistryErrorCode } from "./registry-error";
import { entriesOf, type Manifest, type ManifestCalls, type NewManifest } from "./manifests";
import type { ReferrersApi } from "./referrers-api";
import type { UpdateTag } from "./update-tag";
import { isObject } from "../../../json/plain-json";
import { readJsonObject } from "../../../json/parse-json";

interface NewReferrer extends NewManifest {
  /** The algorithm of its own digest. @default "sha256" */
  readonly algorithm?: DigestAlgorithm | undefined;
}

export interface ReferrerList extends FallbackList {
  /** "api": the referrers API. "fallback": the index under the tag `sha256-<hex>`. */
  readonly source: "api" | "fallback";
  /** True if more referrers exist than were read. @default false */
  readonly hasMore?: boolean;
}

/**
 * The client for referrers. Without the referrers API, an index under the tag `sha256-<hex>` lists them.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export class Referrers {
  readonly #api: ReferrersApi;
  readonly #manifests: ManifestCalls;
  readonly #updateTag: UpdateTag;

  constructor(api: ReferrersApi, manifests: ManifestCalls, updateTag: UpdateTag) {
    this.#api = api;
    this.#manifests = manifests;
    this.#updateTag = updateTag;
  }

  async list(repository: Repository, subject: Digest, context: CallContext): Promise<ReferrerList> {
    const listed = await this.#api.list(repository, subject, context);
    return listed === undefined
      ? { source: "fallback", ...(await this.#tagged(repository, subject, context)) }
      : { source: "api", ...listed };
  }

  /**
   * Checks whether referrers can be removed, by deleting a manifest that does not exist: a registry that deletes nothing
   * refuses that before it looks for the manifest.
   *
   * @throws RegistryError
   */
  async canRemove(repository: Repository, subject: Digest, context: CallContext): Promise<boolean> {
    // Under the fallback tag, it is enough to remove the entry.
    if (!(await this.#api.exists(repository, subject, context))) return true;
    const nothing: Digest = `sha256:${randomBytes(32).toString("hex")}`;
    return (await this.#removeManifest(repository, nothing, context)) === undefined;
  }

  /**
   * Writes a manifest that refers to the subject. Without the referrers API, also adds it to the index
   * under the fallback tag.
   *
   * @throws RegistryError `TAG_TAKEN` if that tag contains something else; then nothing is written
   */
  async add(
    repository: Repository,
    subject: Digest,
    referrer: NewReferrer,
    context: CallContext,
  ): Promise<Descriptor> {
    const { mediaType, bytes, algorithm } = referrer;
    const json = readJsonObject(bytes) ?? {};
    const added = describeReferrer(json, {
      mediaType,
      digest: digestOf(bytes, algorithm),
      size: bytes.byteLength,
    });
    const hasApi = await this.#api.exists(repository, subject, context);
    if (!hasApi) {
      const { refusal } = await this.#tagged(repository, subject, context);
      if (refusal !== undefined) throw refusal;
    }
    await this.#manifests.put(repository, { mediaType, bytes }, context, { algorithm });
    if (!hasApi) await this.#changeTag(repository, subject, { added }, context);
    return added;
  }

  /**
   * Deletes a referrer, and its entry under the fallback tag. If the registry does not delete manifests, it
   * is enough to remove the entry: the manifest cannot be found without it.
   *
   * @throws RegistryError
   */
  async remove(
    repository: Repository,
    subject: Digest,
    removed: Digest,
    context: CallContext,
  ): Promise<void> {
    const refusal = await this.#removeManifest(repository, removed, context);
    if (!(await this.#api.exists(repository, subject, context))) {
      await this.#changeTag(repository, subject, { removed }, context);
    } else if (refusal !== undefined) throw refusal;
  }

  /** @returns the refusal of a registry that deletes nothing, or not for this user */
  async #removeManifest(
    repository: Repository,
    digest: Digest,
    context: CallContext,
  ): Promise<RegistryError | undefined> {
    try {
      await this.#manifests.remove(repository, digest, context);
      return undefined;
    } catch (error) {
      if (error instanceof RegistryError && refusals.has(error.code)) return error;
      throw error;
    }
  }

  async #tagged(
    repository: Repository,
    subject: Digest,
    context: CallContext,
  ): Promise<FallbackList> {
    const index = await this.#manifests.get(repository, tagOfDigest(subject), context);
    const isSubject =
      index !== undefined && digestOf(index.bytes, algorithmOf(subject)) === subject;
    // An older tool may have copied an image to that tag. Otherwise, the registry reads each such tag as a digest.
    if (isSubject && !(await this.#api.listsTag(repository, tagOfDigest(subject), context))) {
      return { referrers: [], refusal: notStored(repository, subject) };
    }
    return contentOf(index, repository, subject);
  }

  /** @throws RegistryError `TAG_TAKEN` if the tag contains something else */
  async #changeTag(
    repository: Repository,
    subject: Digest,
    change: { readonly added: Descriptor } | { readonly removed: Digest },
    context: CallContext,
  ): Promise<void> {
    const isAdded = "added" in change;
    const digest = isAdded ? change.added.digest : change.removed;
    const isApplied = (current: Manifest | undefined) => lists(current, digest) === isAdded;
    const merge = async (current: Manifest | undefined) => {
      if (isApplied(current)) return undefined;
      const { refusal } = contentOf(current, repository, subject);
      if (refusal !== undefined) throw refusal;
      const others = entriesOf(current).filter((entry) => readDescriptor(entry)?.digest !== digest);
      const kept = await this.#existing(repository, others, context);
      return indexOf(isAdded ? [...kept, change.added] : kept, current);
    };
    await this.#updateTag(repository, tagOfDigest(subject), { merge, isApplied }, context);
  }

  /** Drops entries whose manifests do not exist: registries reject an index that lists them. */
  async #existing(repository: Repository, entries: readonly unknown[], context: CallContext) {
    const kept: unknown[] = [];
    for (const entry of entries) {
      const digest = readDescriptor(entry)?.digest;
      const head = digest && (await this.#manifests.head(repository, digest, context));
      if (digest === undefined || head !== undefined) kept.push(entry);
    }
    return kept;
  }
}

const refusals: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "UNSUPPORTED",
  "DENIED",
  "UNAUTHORIZED",
  "REFUSED",
]);

interface FallbackList {
  readonly referrers: readonly Descriptor[];
  /** A warning if the tag contains something else; the tag is not changed then. */
  readonly problem?: string;
  /** The reason why no referrer can be added. */
  readonly refusal?: RegistryError;
}

function notStored({ registry }: Repository, subject: Digest): RegistryError {
  return new RegistryError(
    "UNSUPPORTED",
    `the registry ${registry} has no list of referrers, and answers the tag ${tagOfDigest(subject)} with the image ` +
      `itself, so it cannot store bundles or other referrers; use the format "legacy" there`,
  );
}

function contentOf(
  index: Manifest | undefined,
  repository: Repository,
  subject: Digest,
): FallbackList {
  if (index === undefined) return { referrers: [] };
  const tag = `the tag ${formatRepository(repository)}:${tagOfDigest(subject)}, which by convention lists referrers,`;
  if (!isIndexType(index.mediaType)) {
    const problem = `${tag} contains something else (${index.digest}): an older tool may have copied an image there`;
    const message = `${problem}; remove or rename that tag, and try again`;
    return { referrers: [], problem, refusal: new RegistryError("TAG_TAKEN", message) };
  }
  const entries = entriesOf(index);
  const referrers = readDescriptors(entries.filter((entry) => !hasPlatform(entry)));
  if (!entries.some(hasPlatform)) return { referrers };
  const problem = `${tag} contains images for platforms: an older tool may have copied an index there`;
  return { referrers, problem };
}

/** Checks whether an entry is an image for a platform, and no referrer. */
function hasPlatform(entry: unknown): boolean {
  return isObject(entry) && isObject(entry["platform"]);
}

function lists(index: Manifest | undefined, digest: Digest): boolean {
  const isIndex = index !== undefined && isIndexType(index.mediaType);
  return isIndex && readDescriptors(entriesOf(index)).some((entry) => entry.digest === digest);
}

/** Builds an index, keeping the other fields of the current one. */
function indexOf(entries: readonly unknown[], current: Manifest | undefined): NewManifest {
  const mediaType = current?.mediaType ?? mediaTypes.imageIndex;
  const index = { schemaVersion: 2, mediaType, ...current?.json, manifests: entries };
  return { mediaType, bytes: Buffer.from(JSON.stringify(index)) };
}
