import {
  type CallContext,
  type ClientLog,
  type Clock,
  systemClock,
} from "../../../http/call-context";
import { isHttpError } from "../../../http/http-error";
import { repeat, type RepeatSettings } from "../../../http/retry";
import {
  type Descriptor,
  algorithmOf,
  type Digest,
  digestOf,
  hexOf,
  isDigest,
} from "../reference/descriptor";
import { isAboutContent, lastOf, RegistryError, registryRetry } from "../registry/registry-error";
import { formatRepository, type Repository } from "../reference/image-name";
import { type BlobCalls, checkedContent, collected, once, refuseLarge } from "../registry/blobs";
import type { ImageClient } from "../registry/client";
import {
  checkedManifest,
  type ManifestCalls,
  maxManifestBytes,
  type NewManifest,
} from "../registry/manifests";
import { Referrers } from "../registry/referrers";
import type { ReferrersApi } from "../registry/referrers-api";
import type { UpdateTag } from "../registry/update-tag";
import {
  isAttachedTag,
  LayoutIndex,
  LayoutReferrers,
  missingName,
  onlyImages,
} from "./layout-index";
import { Layouts, type OpenLayout } from "./layouts";
import { indexName, maxIndexBytes } from "./layout-files";

interface LayoutSettings {
  /** @default the system's */
  readonly clock?: Clock | undefined;
  /** A number from 0 to 1, for jitter. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Receives the waits for a registry from which content comes. @default no log */
  readonly log?: ClientLog | undefined;
}

/**
 * A client for image layouts on this machine, with the same interface and checks as the client for registries. Nothing in a
 * layout is removed.
 */
export function createLayoutClient(settings: LayoutSettings = {}): ImageClient {
  const { clock = systemClock, random = Math.random, log } = settings;
  const layouts = new Layouts(clock);
  const manifests = layoutManifests(layouts);
  const updateTag = tagUpdater(layouts, manifests);
  return {
    manifests,
    blobs: layoutBlobs(layouts),
    uploads: {
      async put(repository, bytes, context) {
        const files = await layouts.open(repository, context);
        return writeContent(files, { mediaType: "application/octet-stream", bytes });
      },
      async push(repository, content, context) {
        const files = await layouts.open(repository, context);
        await whileTemporary({ context, clock, random, log }, () =>
          files.write(blobName(content.digest), content.size, content.open()),
        );
      },
      mount: () => Promise.resolve(false),
    },
    referrers: new Referrers(layoutReferrers(layouts, manifests), manifests, updateTag),
    updateTag,
    writeImage: (repository, image, context, work) =>
      layouts.write(repository, context, async () => {
        const result = await work();
        const files = await layouts.open(repository, context);
        await changeIndex(files, repository, (index) => index.withManifest(image));
        return result;
      }),
    close: () => Promise.resolve(),
  };
}

/** Repeats a write while a registry from which the content comes is restarted. */
async function whileTemporary(
  settings: Pick<RepeatSettings<unknown>, "context" | "clock" | "random" | "log">,
  write: () => Promise<void>,
): Promise<void> {
  let attempts = 0;
  const failure = await repeat<RegistryError | undefined>({
    ...settings,
    async attempt(number) {
      attempts = number;
      try {
        await write();
        return undefined;
      } catch (error) {
        if (error instanceof RegistryError && error.isTemporary) return error;
        throw error;
      }
    },
    waitMs: (error, attempt) =>
      isHttpError(error?.cause) ? registryRetry({ error: error.cause }, attempt) : undefined,
    describe: (error) => ({
      message: error === undefined ? "wrote a blob" : "a blob was not written",
      fields: {},
      problem: error?.message,
    }),
  });
  if (failure !== undefined) throw lastOf(attempts, failure);
}

function layoutManifests(layouts: Layouts): ManifestCalls {
  const find = async (repository: Repository, reference: string, context: CallContext) => {
    const files = await layouts.open(repository, context);
    const digest = isDigest(reference)
      ? reference
      : (await readIndex(files, repository)).tagged(reference)?.digest;
    return { files, digest };
  };
  const read = async (files: OpenLayout, repository: Repository, digest: Digest) => {
    const bytes = await files.read(blobName(digest), maxManifestBytes);
    if (bytes === undefined) return undefined;
    const place = `${formatRepository(repository)}@${digest}`;
    return checkedManifest(bytes, { place, reference: digest });
  };
  return {
    /** Without a name, reads the image `latest`, or the only one. */
    async get(repository, reference, context) {
      const name = reference === "" ? "latest" : reference;
      const { files, digest } = await find(repository, name, context);
      if (digest !== undefined) return read(files, repository, digest);
      if (isAttachedTag(name)) return undefined;
      const images = (await readIndex(files, repository)).images();
      const unnamed = await onlyImages(images, (each) => read(files, repository, each));
      const [only, ...others] = unnamed;
      if (only === undefined) return undefined;
      if (reference === "" && others.length === 0) return read(files, repository, only.digest);
      throw missingName(repository, reference, unnamed);
    },
    /** Other tools find only what is listed. */
    async head(repository, reference, context) {
      const { files, digest } = await find(repository, reference, context);
      if (digest === undefined || (await files.sizeOf(blobName(digest))) === undefined) {
        return undefined;
      }
      return (await readIndex(files, repository)).lists(digest) ? { digest } : undefined;
    },
    async put(repository, manifest, context, { algorithm, tag } = {}) {
      const files = await layouts.open(repository, context);
      const written = await writeContent(files, manifest, algorithm);
      // An unlisted referrer could not be found from its subject.
      const isReferrer = checkedManifest(Buffer.from(manifest.bytes), {
        place: formatRepository(repository),
        reference: written.digest,
      }).json["subject"];
      await changeIndex(files, repository, (index) => {
        if (tag !== undefined) return index.withTag(tag, written);
        return isReferrer === undefined ? undefined : index.withManifest(written);
      });
      return written;
    },
    remove(repository) {
      const message = `content cannot be removed from the layout ${formatRepository(repository)}`;
      return Promise.reject(new RegistryError("UNSUPPORTED", message));
    },
  };
}

async function writeContent(
  files: OpenLayout,
  { mediaType, bytes }: NewManifest,
  algorithm?: ReturnType<typeof algorithmOf>,
): Promise<Descriptor> {
  const digest = digestOf(bytes, algorithm);
  const size = bytes.byteLength;
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
      const files = await layouts.open(repository, context);
      const place = `the blob ${formatRepository(repository)}@${blob.digest}`;
      if ((await files.sizeOf(blobName(blob.digest))) === undefined) {
        throw new RegistryError("NOT_FOUND", `${place} does not exist`);
      }
      return checkedContent(files.stream(blobName(blob.digest)), blob, place);
    },
    async has(repository, { digest, size }, context) {
      const files = await layouts.open(repository, context);
      return (await files.sizeOf(blobName(digest))) === size;
    },
  };
}

function layoutReferrers(layouts: Layouts, manifests: ManifestCalls): ReferrersApi {
  const known = new LayoutReferrers();
  return {
    async list(repository, subject, context) {
      const index = await readIndex(await layouts.open(repository, context), repository);
      return known.list(index, subject, (digest) =>
        manifests.get(repository, digest, context).catch((error: unknown) => {
          if (error instanceof RegistryError && isAboutContent(error)) return undefined;
          throw error;
        }),
      );
    },
    exists: () => Promise.resolve(true),
    listsTag: () => Promise.resolve(true),
  };
}

const maxRounds = 100;

/** Nobody else changes the index while the tag is compared and set, so nothing is lost. */
function tagUpdater(layouts: Layouts, manifests: ManifestCalls): UpdateTag {
  return async (repository, tag, update, context) => {
    for (let round = 0; round < maxRounds; round++) {
      const files = await layouts.open(repository, context);
      const before = (await readIndex(files, repository)).tagged(tag);
      const current = await manifests.get(repository, before?.digest ?? tag, context);
      const next = await update.merge(current);
      if (next === undefined) return { wrote: false, mergedAgain: round };
      const written = await writeContent(files, next);
      if (written.digest === before?.digest) return { wrote: false, mergedAgain: round };
      const wrote = await changeIndex(files, repository, (index) =>
        index.tagged(tag)?.digest === before?.digest ? index.withTag(tag, written) : undefined,
      );
      if (wrote) return { wrote, mergedAgain: round };
    }
    const message = `other processes kept writing to ${formatRepository(repository)}:${tag}; try again when fewer write`;
    throw new RegistryError("CONTENTION", message);
  };
}

async function readIndex(files: OpenLayout, repository: Repository): Promise<LayoutIndex> {
  const bytes = await files.read(indexName, maxIndexBytes);
  return LayoutIndex.parse(bytes, formatRepository(repository));
}

function changeIndex(
  files: OpenLayout,
  repository: Repository,
  change: (index: LayoutIndex) => LayoutIndex | undefined,
): Promise<boolean> {
  return files.updateIndex((bytes) =>
    change(LayoutIndex.parse(bytes, formatRepository(repository)))?.toBytes(),
  );
}

const blobName = (digest: Digest): string => `blobs/${algorithmOf(digest)}/${hexOf(digest)}`;
