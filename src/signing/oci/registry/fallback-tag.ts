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
import type { ReferrersApi } from "./referrers-api";
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
  readonly #listsTag: ReferrersApi["listsTag"];
  readonly #updateTag: UpdateTag;

  constructor(manifests: ManifestCalls, listsTag: ReferrersApi["listsTag"], updateTag: UpdateTag) {
    this.#manifests = manifests;
    this.#listsTag = listsTag;
    this.#updateTag = updateTag;
  }

  async list(repository: Repository, subject: Digest, context: CallContext): Promise<FallbackList> {
    const index = await this.#manifests.get(repository, tagOfDigest(subject), context);
    const isSubject =
      index !== undefined && digestOf(index.bytes, algorithmOf(subject)) === subject;
    // An older tool may have copied an image to that tag. Otherwise, the registry reads each such tag as a digest.
    if (isSubject && !(await this.#listsTag(repository, tagOfDigest(subject), context))) {
      return { referrers: [], refusal: notStored(repository, subject) };
    }
    return contentOf(index, repository, subject);
  }

  /** @throws RegistryError `TAG_TAKEN` if the tag contains something else */
  async add(
    repository: Repository,
    subject: Digest,
    referrer: Descriptor,
    context: CallContext,
  ): Promise<void> {
    const isApplied = (current: Manifest | undefined) => lists(current, referrer.digest);
    const merge = async (current: Manifest | undefined) => {
      const { refusal } = contentOf(current, repository, subject);
      if (refusal !== undefined) throw refusal;
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

function notStored({ registry }: Repository, subject: Digest): RegistryError {
  return new RegistryError({
    code: "UNSUPPORTED",
    message:
      `the registry ${registry} has no list of referrers, and answers the tag ${tagOfDigest(subject)} with the image ` +
      `itself, so it cannot store bundles or other referrers; only the format "legacy" works there`,
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
