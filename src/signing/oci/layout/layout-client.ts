import type { Descriptor } from "../protocol/descriptor";
import { RegistryError, isAboutContent } from "../protocol/registry-error";
import { algorithmOf, digestOf, hexOf, isDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { type BlobCalls, checkedContent, collected, refuseLarge } from "../registry/blobs";
import type { RegistryClient } from "../registry/client";
import {
  checkedManifest,
  type ManifestCalls,
  maxManifestBytes,
  type NewManifest,
} from "../registry/manifests";
import { Referrers } from "../registry/referrers";
import type { ReferrersApi } from "../registry/referrers-api";
import type { UpdateTag } from "../registry/update-tag";
import { LayoutIndex } from "./layout-index";
import { LayoutReferrers } from "./layout-referrers";
import { Layouts } from "./layouts";
import { indexName, maxIndexBytes, once, type LayoutFiles, untilDeadline } from "./layout-files";

/**
 * A client for image layouts on this machine, with the same interface and checks as the client for registries. Nothing in a
 * layout is removed.
 */
export function createLayoutClient(): RegistryClient {
  const layouts = new Layouts();
  const manifests = layoutManifests(layouts);
  const blobs = layoutBlobs(layouts);
  const updateTag = tagUpdater(layouts, manifests);
  return {
    manifests,
    blobs,
    uploads: {
      put: (repository, bytes) =>
        writeContent(layouts, repository, { mediaType: "application/octet-stream", bytes }),
      async push(repository, content, context) {
        const files = await layouts.open(repository);
        const bytes = untilDeadline(content.open(), context);
        await files.write(blobName(content.digest), content.size, bytes);
      },
      mount: () => Promise.resolve(false),
    },
    referrers: new Referrers(layoutReferrers(layouts, manifests), manifests, updateTag),
    updateTag,
    writeImage: (repository, image, work) =>
      layouts.write(repository, async () => {
        const result = await work();
        await changeIndex(layouts, repository, (index) => index.withManifest(image));
        return result;
      }),
    close: () => Promise.resolve(),
  };
}

function layoutManifests(layouts: Layouts): ManifestCalls {
  const find = async (repository: Repository, reference: string) => {
    const files = await layouts.open(repository);
    const digest = isDigest(reference)
      ? reference
      : (await readIndex(files, repository)).tagged(reference)?.digest;
    return { files, digest };
  };
  return {
    async get(repository, reference, _context, size = Infinity) {
      const { files, digest } = await find(repository, reference);
      if (digest === undefined) return undefined;
      const bytes = await files.read(blobName(digest), maxManifestBytes);
      if (bytes === undefined) return undefined;
      const place = `${formatRepository(repository)}@${digest}`;
      return checkedManifest(bytes, { place, reference: digest, size });
    },
    /** Only what is listed is there for other tools. */
    async head(repository, reference) {
      const { files, digest } = await find(repository, reference);
      if (digest === undefined || (await files.sizeOf(blobName(digest))) === undefined) {
        return undefined;
      }
      return (await readIndex(files, repository)).lists(digest) ? { digest } : undefined;
    },
    async put(repository, manifest, _context, { algorithm, tag } = {}) {
      const written = await writeContent(layouts, repository, manifest, algorithm);
      // Without being listed, it could not be found from its subject.
      const isReferrer = checkedManifest(Buffer.from(manifest.bytes), {
        place: formatRepository(repository),
        reference: written.digest,
      }).json["subject"];
      await changeIndex(layouts, repository, (index) => {
        if (tag !== undefined) return index.withTag(tag, written);
        return isReferrer === undefined ? undefined : index.withManifest(written);
      });
      return written;
    },
    remove(repository) {
      const message = `nothing is removed from the layout ${formatRepository(repository)}`;
      return Promise.reject(new RegistryError({ code: "UNSUPPORTED", message }));
    },
  };
}

async function writeContent(
  layouts: Layouts,
  repository: Repository,
  { mediaType, bytes }: NewManifest,
  algorithm?: ReturnType<typeof algorithmOf>,
): Promise<Descriptor> {
  const digest = digestOf(bytes, algorithm);
  const size = bytes.byteLength;
  const files = await layouts.open(repository);
  if ((await files.sizeOf(blobName(digest))) !== size) {
    await files.write(blobName(digest), size, once(bytes));
  }
  return { mediaType, digest, size };
}

function layoutBlobs(layouts: Layouts): BlobCalls {
  return {
    async get(repository, blob, context) {
      refuseLarge(repository, blob);
      return collected(await this.stream(repository, blob, context), blob.size);
    },
    async stream(repository, blob, context) {
      const files = await layouts.open(repository);
      const place = `the blob ${formatRepository(repository)}@${blob.digest}`;
      if ((await files.sizeOf(blobName(blob.digest))) === undefined) {
        throw new RegistryError({ code: "NOT_FOUND", message: `${place} does not exist` });
      }
      const content = untilDeadline(files.stream(blobName(blob.digest)), context);
      return checkedContent(content, blob, place);
    },
    async has(repository, { digest, size }) {
      const files = await layouts.open(repository);
      return (await files.sizeOf(blobName(digest))) === size;
    },
  };
}

function layoutReferrers(layouts: Layouts, manifests: ManifestCalls): ReferrersApi {
  const known = new LayoutReferrers();
  return {
    async list(repository, subject, context) {
      const index = await readIndex(await layouts.open(repository), repository);
      return known.list(index, subject, (digest) =>
        manifests.get(repository, digest, context).catch((error: unknown) => {
          if (error instanceof RegistryError && isAboutContent(error)) return undefined;
          throw error;
        }),
      );
    },
    exists: () => Promise.resolve(true),
  };
}

const maxRounds = 100;

/** Nobody else changes the index while the tag is compared and set, so nothing is lost. */
function tagUpdater(layouts: Layouts, manifests: ManifestCalls): UpdateTag {
  return async (repository, tag, update, context) => {
    for (let round = 0; round < maxRounds; round++) {
      const before = (await readIndex(await layouts.open(repository), repository)).tagged(tag);
      const current = await manifests.get(repository, before?.digest ?? tag, context);
      const next = await update.merge(current);
      if (next === undefined) return { wrote: false, mergedAgain: round };
      const written = await writeContent(layouts, repository, next);
      if (written.digest === before?.digest) return { wrote: false, mergedAgain: round };
      const wrote = await changeIndex(layouts, repository, (index) =>
        index.tagged(tag)?.digest === before?.digest ? index.withTag(tag, written) : undefined,
      );
      if (wrote) return { wrote, mergedAgain: round };
    }
    const message = `others kept writing to ${formatRepository(repository)}:${tag}; try again when fewer processes do`;
    throw new RegistryError({ code: "CONTENTION", message });
  };
}

async function readIndex(files: LayoutFiles, repository: Repository): Promise<LayoutIndex> {
  const bytes = await files.read(indexName, maxIndexBytes);
  return LayoutIndex.parse(bytes, formatRepository(repository));
}

async function changeIndex(
  layouts: Layouts,
  repository: Repository,
  change: (index: LayoutIndex) => LayoutIndex | undefined,
): Promise<boolean> {
  const files = await layouts.open(repository);
  return files.updateIndex((bytes) =>
    change(LayoutIndex.parse(bytes, formatRepository(repository)))?.toBytes(),
  );
}

const blobName = (digest: Digest): string => `blobs/${algorithmOf(digest)}/${hexOf(digest)}`;
