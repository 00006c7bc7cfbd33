import { randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { tagOfDigest, type Digest, type DigestAlgorithm } from "../reference/digest";
import type { Repository } from "../reference/repository";
import type { Descriptor } from "../protocol/descriptor";
import type { Manifest, Manifests, NewManifest } from "./manifests";
import { digestOf } from "../reference/digest-of";
import { readDescriptor } from "../protocol/read-descriptor";
import { entriesOf, indexOf, namesDigest, takenTag } from "./fallback-index";
import { createReferrerReader } from "./read-referrers";
import { hasReferrersApi } from "./referrers-api";
import type { RegistryCalls } from "./registry-call";
import { RegistryError, type RegistryErrorCode } from "../protocol/registry-error";
import type { TagUpdate, TagUpdateResult } from "./update-tag";

/** A referrer to write. */
interface NewReferrer extends NewManifest, Pick<Descriptor, "artifactType" | "annotations"> {
  /** The algorithm of its own digest. @default "sha256" */
  readonly algorithm?: DigestAlgorithm | undefined;
}

/** The settings of {@link createReferrers}. */
interface ReferrerSettings {
  readonly calls: RegistryCalls;
  readonly manifests: Manifests;
  readonly updateTag: (
    repository: Repository,
    tag: string,
    update: TagUpdate,
    context: CallContext,
  ) => Promise<TagUpdateResult>;
}

/**
 * Creates the client for referrers.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export function createReferrers({ calls, manifests, updateTag }: ReferrerSettings) {
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
    ...createReferrerReader(calls, manifests),

    /**
     * Whether referrers can be removed. Asks the registry to delete a manifest that does not exist: one that
     * does not delete says so before it looks for the manifest.
     *
     * @throws RegistryError
     */
    async canRemove(
      repository: Repository,
      subject: Digest,
      context: CallContext,
    ): Promise<boolean> {
      // Under the fallback tag, it is enough to remove the entry.
      if (!(await hasReferrersApi(calls, repository, subject, context))) return true;
      const nothing: Digest = `sha256:${randomBytes(32).toString("hex")}`;
      return manifests.remove(repository, nothing, context).then(
        () => true,
        (error: unknown) => {
          if (error instanceof RegistryError && refusals.has(error.code)) return false;
          throw error;
        },
      );
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
      referrer: NewReferrer,
      context: CallContext,
    ): Promise<Descriptor> {
      const { mediaType, bytes, artifactType, annotations, algorithm } = referrer;
      const digest = digestOf(bytes, algorithm);
      const descriptor: Descriptor = {
        mediaType,
        digest,
        size: bytes.byteLength,
        ...(annotations === undefined ? {} : { annotations }),
        ...(artifactType === undefined ? {} : { artifactType }),
      };
      if (await hasReferrersApi(calls, repository, subject, context)) {
        await manifests.put(repository, { mediaType, bytes }, context, { algorithm });
        return descriptor;
      }
      const tag = tagOfDigest(subject);
      const refuseTaken = (current: Manifest | undefined) => {
        const taken = takenTag(current, repository, subject);
        if (taken !== undefined) throw taken;
      };
      refuseTaken(await manifests.get(repository, tag, context));
      await manifests.put(repository, { mediaType, bytes }, context, { algorithm });
      const isApplied = (current: Manifest | undefined) => namesDigest(current, digest);
      const merge = async (current: Manifest | undefined) => {
        refuseTaken(current);
        if (isApplied(current)) return undefined;
        const others = await present(repository, current ? entriesOf(current) : [], context);
        return indexOf([...others, descriptor], current);
      };
      await updateTag(repository, tag, { merge, isApplied }, context);
      return descriptor;
    },

    /**
     * Deletes a referrer, and its entry under the fallback tag. If the registry does not delete manifests, it
     * is enough to remove the entry: nobody finds the manifest without it.
     *
     * @throws RegistryError
     */
    async remove(
      repository: Repository,
      subject: Digest,
      referrer: Digest,
      context: CallContext,
    ): Promise<void> {
      let refusal: RegistryError | undefined;
      try {
        await manifests.remove(repository, referrer, context);
      } catch (error) {
        if (!(error instanceof RegistryError) || !refusals.has(error.code)) throw error;
        refusal = error;
      }
      if (await hasReferrersApi(calls, repository, subject, context)) {
        if (refusal !== undefined) throw refusal;
        return;
      }
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

// What registries answer that delete nothing, or nothing of ours.
const refusals: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "UNSUPPORTED",
  "DENIED",
  "UNAUTHORIZED",
  "REFUSED",
]);

/** The client for referrers. */
export type Referrers = ReturnType<typeof createReferrers>;
