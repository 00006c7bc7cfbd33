import type { CallContext } from "../../../http/call-context";
import { isObject } from "../../../json/plain-json";
import { algorithmOf, digestOf, tagOfDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import {
  isIndexType,
  mediaTypes,
  readDescriptor,
  readDescriptors,
  type Descriptor,
} from "../protocol/descriptor";
import { RegistryError } from "../protocol/registry-error";
import type { Manifest, ManifestCalls, NewManifest } from "./manifests";
import type { UpdateTag } from "./update-tag";

export interface FallbackList {
  readonly referrers: readonly Descriptor[];
  /** A warning if the tag contains something else; the tag is not changed then. */
  readonly problem?: string;
  /** The reason why no referrer can be added. */
  readonly refusal?: RegistryError;
}

/**
 * The index under the tag `sha256-<hex>`, which lists referrers in registries without the referrers API.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export class FallbackTag {
  readonly #manifests: ManifestCalls;
  readonly #updateTag: UpdateTag;

  constructor(manifests: ManifestCalls, updateTag: UpdateTag) {
    this.#manifests = manifests;
    this.#updateTag = updateTag;
  }

  async list(repository: Repository, subject: Digest, context: CallContext): Promise<FallbackList> {
    const index = await this.#manifests.get(repository, tagOfDigest(subject), context);
    if (isSame(index, subject) && (await this.#readsTagsAsDigests(repository, index, context))) {
      return { referrers: [], refusal: notStored(repository, subject) };
    }
    return contentOf(index, repository, subject);
  }

  /**
   * Checks whether the subject is under its tag because the registry reads each tag `sha256-<hex>` as a digest. An index
   * may also be there because an older tool copied it, but then its images have no such tags.
   */
  async #readsTagsAsDigests(repository: Repository, subject: Manifest, context: CallContext) {
    const [image] = readDescriptors(entriesOf(subject));
    if (image === undefined) return true;
    const tag = tagOfDigest(image.digest);
    return (await this.#manifests.head(repository, tag, context)) !== undefined;
  }

  /** @throws RegistryError `TAG_TAKEN` if the tag contains something else, `UNSUPPORTED` if it always does */
  async add(
    repository: Repository,
    subject: Digest,
    referrer: Descriptor,
    context: CallContext,
  ): Promise<void> {
    const isApplied = (current: Manifest | undefined) => lists(current, referrer.digest);
    let wasSubject = false;
    const merge = async (current: Manifest | undefined) => {
      const { refusal } = contentOf(current, repository, subject);
      if (refusal !== undefined) throw refusal;
      const isSubject = isSame(current, subject);
      // Nobody else writes the subject there, so the registry ignored our write.
      if (isSubject && wasSubject) throw notStored(repository, subject);
      wasSubject = isSubject;
      if (isApplied(current)) return undefined;
      const others = await this.#existing(repository, entriesOf(current), context);
      return indexOf([...others, referrer], current);
    };
    await this.#updateTag(repository, tagOfDigest(subject), { merge, isApplied }, context);
  }

  async remove(
    repository: Repository,
    subject: Digest,
    referrer: Digest,
    context: CallContext,
  ): Promise<void> {
    const isApplied = (current: Manifest | undefined) => !lists(current, referrer);
    const merge = async (current: Manifest | undefined) => {
      if (isApplied(current)) return undefined;
      const others = entriesOf(current).filter(
        (entry) => readDescriptor(entry)?.digest !== referrer,
      );
      return indexOf(await this.#existing(repository, others, context), current);
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

function isSame(index: Manifest | undefined, subject: Digest): index is Manifest {
  return index !== undefined && digestOf(index.bytes, algorithmOf(subject)) === subject;
}

function notStored({ registry }: Repository, subject: Digest): RegistryError {
  return new RegistryError({
    code: "UNSUPPORTED",
    message:
      `the registry ${registry} has no list of referrers, and answers the tag ${tagOfDigest(subject)} with the image ` +
      `itself, so it cannot store bundles or other referrers: use the format "legacy" there, or remove that tag if it exists`,
  });
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
    return { referrers: [], problem, refusal: new RegistryError({ code: "TAG_TAKEN", message }) };
  }
  const entries = entriesOf(index);
  const referrers = readDescriptors(entries.filter((entry) => !hasPlatform(entry)));
  if (!entries.some(hasPlatform)) return { referrers };
  const problem = `${tag} contains images for platforms: an older tool may have copied an index there`;
  return { referrers, problem };
}

/** The entries of an index, unchecked. */
function entriesOf(index: Manifest | undefined): readonly unknown[] {
  const manifests = index?.json["manifests"];
  return Array.isArray(manifests) ? manifests : [];
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
