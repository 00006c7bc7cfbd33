import { isObject } from "../../../json/is-object";
import type { CallContext } from "../../../http/call-context";
import { tagOfDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { isIndexType, mediaTypes, type Descriptor } from "../protocol/descriptor";
import { digestOf, type Manifest, type Manifests, type NewManifest } from "./manifests";
import { readDescriptor, readDescriptors } from "../protocol/read-descriptor";
import { queryReferrersApi } from "./referrers-api";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";
import type { TagUpdate, TagUpdateResult } from "./update-tag";

/** The referrers of a manifest. */
export interface ReferrerList {
  /** "api": the referrers API. "fallback": the index under the tag `sha256-<hex>`. */
  readonly source: "api" | "fallback";
  readonly referrers: readonly Descriptor[];
  /** A warning if the fallback tag contains something else; the tag is not changed then. */
  readonly problem?: string;
}

/** A referrer with its manifest. The manifest counts, because lists may omit annotations and types. */
export interface Referrer {
  readonly descriptor: Descriptor;
  readonly manifest: Manifest;
}

/** The settings of {@link createReferrers}. */
export interface ReferrerSettings {
  readonly calls: RegistryCalls;
  readonly manifests: Manifests;
  readonly updateTag: (
    repository: Repository,
    tag: string,
    update: TagUpdate,
    context: CallContext,
  ) => Promise<TagUpdateResult>;
}

const maxReferrers = 1_000;

/**
 * Creates the client for referrers.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export function createReferrers({ calls, manifests, updateTag }: ReferrerSettings) {
  async function list(
    repository: Repository,
    subject: Digest,
    context: CallContext,
  ): Promise<ReferrerList> {
    const listed = await queryReferrersApi(calls, repository, subject, context);
    if (listed !== undefined) return { source: "api", referrers: listed };
    const index = await manifests.get(repository, tagOfDigest(subject), context);
    if (index === undefined) return { source: "fallback", referrers: [] };
    const problem = problemOf(index, repository, subject);
    const entries = isIndexType(index.mediaType) ? entriesOf(index) : [];
    const referrers = readDescriptors(entries.filter((entry) => !hasPlatform(entry)));
    return { source: "fallback", referrers, ...(problem === undefined ? {} : { problem }) };
  }

  /** Drops entries whose manifests do not exist: registries reject an index that lists them. */
  async function present(
    repository: Repository,
    entries: readonly unknown[],
    context: CallContext,
  ) {
    const kept: unknown[] = [];
    for (const entry of entries) {
      const descriptor = readDescriptor(entry);
      if (
        descriptor === undefined ||
        (await manifests.head(repository, descriptor.digest, context)) !== undefined
      ) {
        kept.push(entry);
      }
    }
    return kept;
  }

  return {
    list,

    /** Reads the referrers with their manifests, without missing ones and those with another subject. */
    async read(
      repository: Repository,
      subject: Digest,
      context: CallContext,
      wanted: (descriptor: Descriptor) => boolean = () => true,
    ): Promise<ReferrerList & { readonly found: readonly Referrer[] }> {
      const listed = await list(repository, subject, context);
      if (listed.referrers.length > maxReferrers) {
        throw new RegistryError({
          code: "TOO_LARGE",
          message: `${formatRepository(repository)}@${subject} has ${listed.referrers.length} referrers, more than the maximum of ${maxReferrers}`,
        });
      }
      const found: Referrer[] = [];
      for (const descriptor of listed.referrers.filter(wanted)) {
        const manifest = await manifests.get(repository, descriptor.digest, context);
        const about = manifest && readDescriptor(manifest.json["subject"]);
        if (manifest !== undefined && about?.digest === subject)
          found.push({ descriptor, manifest });
      }
      return { ...listed, found };
    },

    /**
     * Writes a manifest that refers to the subject. Without the referrers API, also adds it to the index
     * under the fallback tag.
     *
     * @throws RegistryError `TAG_TAKEN` if that tag contains something else; then nothing is written
     */
    async add(
      repository: Repository,
      subject: Digest,
      referrer: NewManifest & Pick<Descriptor, "artifactType" | "annotations">,
      context: CallContext,
    ): Promise<Descriptor> {
      const { mediaType, bytes, artifactType, annotations } = referrer;
      const digest = digestOf(bytes);
      const descriptor: Descriptor = {
        ...{ mediaType, digest, size: bytes.byteLength },
        ...(annotations === undefined ? {} : { annotations }),
        ...(artifactType === undefined ? {} : { artifactType }),
      };
      const listed = await queryReferrersApi(calls, repository, subject, context);
      if (listed !== undefined) {
        await manifests.put(repository, { mediaType, bytes }, context);
        return descriptor;
      }
      const tag = tagOfDigest(subject);
      refuseTaken(await manifests.get(repository, tag, context), repository, subject);
      await manifests.put(repository, { mediaType, bytes }, context);
      const isApplied = (current: Manifest | undefined) => namesDigest(current, digest);
      const merge = async (current: Manifest | undefined) => {
        refuseTaken(current, repository, subject);
        if (isApplied(current)) return undefined;
        const others = await present(repository, current ? entriesOf(current) : [], context);
        return indexOf([...others, descriptor], current);
      };
      await updateTag(repository, tag, { merge, isApplied }, context);
      return descriptor;
    },

    /** Deletes a referrer, and its entry under the fallback tag. Some registries do not allow deletion. */
    async remove(
      repository: Repository,
      subject: Digest,
      referrer: Digest,
      context: CallContext,
    ): Promise<void> {
      await manifests.remove(repository, referrer, context);
      if ((await queryReferrersApi(calls, repository, subject, context)) !== undefined) return;
      const isGone = (current: Manifest | undefined) => !namesDigest(current, referrer);
      const merge = async (current: Manifest | undefined) => {
        if (current === undefined || isGone(current)) return undefined;
        const others = entriesOf(current).filter(
          (entry) => readDescriptor(entry)?.digest !== referrer,
        );
        return indexOf(await present(repository, others, context), current);
      };
      await updateTag(repository, tagOfDigest(subject), { merge, isApplied: isGone }, context);
    },
  };
}

/** The client for referrers. */
export type Referrers = ReturnType<typeof createReferrers>;

function entriesOf({ json }: Manifest): readonly unknown[] {
  return Array.isArray(json["manifests"]) ? json["manifests"] : [];
}

function hasPlatform(entry: unknown): boolean {
  return isObject(entry) && isObject(entry["platform"]);
}

function namesDigest(index: Manifest | undefined, digest: Digest): boolean {
  return (
    index !== undefined &&
    isIndexType(index.mediaType) &&
    readDescriptors(entriesOf(index)).some((entry) => entry.digest === digest)
  );
}

/** Builds an index, keeping the other fields of the current one. */
function indexOf(entries: readonly unknown[], current: Manifest | undefined): NewManifest {
  const mediaType = current?.mediaType ?? mediaTypes.imageIndex;
  const index = { schemaVersion: 2, mediaType, ...current?.json, manifests: entries };
  return { mediaType, bytes: Buffer.from(JSON.stringify(index)) };
}

function problemOf(current: Manifest, repository: Repository, subject: Digest): string | undefined {
  const tag = `${formatRepository(repository)}:${tagOfDigest(subject)}`;
  if (!isIndexType(current.mediaType)) {
    return `the tag ${tag}, which by convention lists referrers, contains something else (${current.digest}): an older tool may have copied an image there`;
  }
  return entriesOf(current).some(hasPlatform)
    ? `the tag ${tag}, which by convention lists referrers, contains images for platforms: an older tool may have copied an index there`
    : undefined;
}

function refuseTaken(current: Manifest | undefined, repository: Repository, subject: Digest): void {
  if (current === undefined || isIndexType(current.mediaType)) return;
  throw new RegistryError({
    code: "TAG_TAKEN",
    message: `${problemOf(current, repository, subject) ?? ""}; remove or rename that tag, and try again`,
  });
}
