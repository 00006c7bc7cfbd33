import { type Failure, failures } from "../../failure/failure";
import { walkImages, type ImageError, isImageError, imageError } from "../image/walk-images";
import { RegistryError, type RegistryErrorCode } from "../oci/registry/registry-error";
import type { CallContext } from "../../http/call-context";
import {
  type Descriptor,
  isIndexType,
  isManifestType,
  readDescriptor,
  algorithmOf,
  type Digest,
} from "../oci/reference/descriptor";
import { formatRepository, isSameRepository, type Repository } from "../oci/reference/image-name";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
import { inParallel } from "../../http/in-parallel";

/**
 * An image could not be copied, for a reason other than a registry. `PLATFORMS`: the platforms cannot be selected, or the
 * destination does not accept an index without all of its images. `SIGNATURES`: signatures or attestations could not be
 * copied. `TOO_MANY`: there is more than a copy may have.
 */
type CopyError = Failure<"PLATFORMS" | "SIGNATURES" | "TOO_MANY">;
export const [copyError] = failures<CopyError["code"]>("CopyError");

/** The failures of the source's registry. The errors themselves do not contain where they happened. */
const ofSource = new WeakSet<RegistryError>();

/** Reads from the source of a copy, so that {@link isAboutSource} recognises its failures. */
export async function fromSource<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw markedSource(error);
  }
}

/** Streams content from the source of a copy, as {@link fromSource}. */
async function* streamFromSource<T>(
  open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): AsyncGenerator<T> {
  try {
    yield* await open();
  } catch (error) {
    throw markedSource(error);
  }
}

function markedSource(error: unknown): unknown {
  if (error instanceof RegistryError) ofSource.add(error);
  return error;
}

const brokenContent: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
]);

/**
 * Checks whether the content at the source caused a failure. The destination can fail with the same codes, but
 * then the next run may succeed.
 */
export function isAboutSource(error: unknown): error is RegistryError | ImageError {
  if (error instanceof RegistryError && ofSource.has(error)) return brokenContent.has(error.code);
  return isImageError(error);
}

export interface CopyStep {
  readonly kind: "blob" | "manifest";
  readonly digest: Digest;
  readonly size: number;
  /**
   * "present": it was already in the destination. "mounted": the registry mounted it from the source
   * repository. "sent": it was downloaded and uploaded.
   */
  readonly how: "present" | "mounted" | "sent";
  /** The tag that now refers to it, if any. */
  readonly tag?: string | undefined;
}

export interface CopyCounts {
  manifests: number;
  blobs: number;
  /** Bytes of the blobs that were downloaded and uploaded. */
  sentBytes: number;
  mounted: number;
  present: number;
  /** Referrers of the image, of the images of an index, and of what is attached to them. */
  referrers: number;
}

export interface CopyRun {
  readonly client: RegistryClient;
  readonly source: Repository;
  readonly destination: Repository;
  readonly context: CallContext;
  readonly parallelBlobs: number;
  readonly onStep: (step: CopyStep) => void;
  readonly counts: CopyCounts;
  /** Blobs whose copy has begun: a blob that several images share is copied once. */
  readonly blobs: Map<Digest, Promise<void>>;
  readonly manifests: Set<Digest>;
  /** What could not be copied, which does not stop the copy. */
  readonly warnings: Set<string>;
  /** What is known to be a signature or an attestation, and could not be copied. */
  readonly leftOut: Set<string>;
}

/**
 * Notes what cannot be copied because of the source. A signature that exists must be copied; content that is missing at the
 * source is only a warning.
 */
export function leaveOut(
  { warnings, leftOut }: CopyRun,
  what: string,
  { message, code }: { readonly message: string; readonly code?: string | undefined },
  isSignature: boolean,
): void {
  const notes = isSignature && code !== "NOT_FOUND" ? leftOut : warnings;
  notes.add(`${what} was not copied: ${message}`);
}

export function stepDone({ counts, onStep }: CopyRun, step: CopyStep): void {
  if (step.kind === "manifest") counts.manifests++;
  else counts.blobs++;
  if (step.kind === "blob" && step.how === "sent") counts.sentBytes += step.size;
  if (step.how === "mounted") counts.mounted++;
  if (step.how === "present") counts.present++;
  onStep(step);
}

const maxManifests = 10_000;
const maxBlobs = 100_000;

/**
 * Copies an image, or an index with its images, each after everything it refers to. Sets the tag, if any, last.
 *
 * @throws RegistryError, ImageError, CopyError
 */
export async function copyManifest(
  run: CopyRun,
  manifest: Manifest,
  options: {
    readonly tag?: string;
    /** Which of the images that an index itself lists are copied. @default all */
    readonly isWanted?: ((digest: Digest) => boolean) | undefined;
  } = {},
): Promise<void> {
  const { tag, isWanted } = options;
  if (tag === undefined && run.manifests.has(manifest.digest)) return;
  const { client: registry, source: repository, context } = run;
  const place = { registry, repository, context };
  const walk = streamFromSource(() => walkImages(place, manifest, isWanted));
  for await (const { digest, manifest: each, problems } of walk) {
    for (const problem of problems) throw problem;
    const isLast = digest === manifest.digest;
    if (each === undefined || (run.manifests.has(digest) && !isLast)) continue;
    if (run.manifests.size >= maxManifests) {
      const message = `${formatRepository(repository)} has more than ${maxManifests} manifests to copy, which is the maximum`;
      throw copyError("TOO_MANY", message);
    }
    const blobs = blobsOf(each, `${formatRepository(repository)}@${digest}`);
    await inParallel(run.parallelBlobs, blobs, (blob) => copyBlobOnce(run, blob));
    await putManifest(run, each, isLast ? tag : undefined);
    run.manifests.add(digest);
  }
}

/** Writes a manifest whose parts are at the destination, under its digest or a tag. */
export async function putManifest(run: CopyRun, manifest: Manifest, tag?: string): Promise<void> {
  const { client, destination, context } = run;
  const { mediaType, bytes, digest } = manifest;
  const head = await client.manifests.head(destination, tag ?? digest, context);
  const isPresent = head?.digest === digest;
  if (!isPresent) {
    const place = tag === undefined ? { algorithm: algorithmOf(digest) } : { tag };
    await client.manifests.put(destination, { mediaType, bytes }, context, place);
  }
  const how = isPresent ? "present" : "sent";
  stepDone(run, { kind: "manifest", digest, size: bytes.byteLength, how, tag });
}

export function copyBlobOnce(run: CopyRun, blob: Descriptor): Promise<void> {
  const begun = run.blobs.get(blob.digest);
  if (begun !== undefined) return begun;
  if (run.blobs.size >= maxBlobs) {
    const message = `the image has more than ${maxBlobs} blobs, which is the maximum of a copy`;
    throw copyError("TOO_MANY", message);
  }
  const copying = copyBlob(run, blob);
  run.blobs.set(blob.digest, copying);
  return copying;
}

async function copyBlob(run: CopyRun, { digest, size }: Descriptor): Promise<void> {
  const { client, source, destination, context } = run;
  const step = { kind: "blob", digest, size } as const;
  if (await client.blobs.has(destination, { digest, size }, context)) {
    stepDone(run, { ...step, how: "present" });
    return;
  }
  const isSameRegistry = source.registry.toLowerCase() === destination.registry.toLowerCase();
  const mayMount = isSameRegistry && !isSameRepository(source, destination);
  if (mayMount && (await client.uploads.mount(destination, digest, source, context))) {
    stepDone(run, { ...step, how: "mounted" });
    return;
  }
  const open = () => streamFromSource(() => client.blobs.stream(source, { digest, size }, context));
  await client.uploads.push(destination, { digest, size, open }, context);
  stepDone(run, { ...step, how: "sent" });
}

const maxParts = 10_000;

/** The blobs that must be in a repository before the manifest can be written. */
function blobsOf({ json, mediaType }: Manifest, place: string): readonly Descriptor[] {
  const isIndex = isIndexType(mediaType);
  if (!isIndex && (!("config" in json) || !Array.isArray(json["layers"]))) {
    throw malformed(`is neither an image nor an index: it has the media type ${mediaType}`, place);
  }
  const list: unknown = isIndex ? json["manifests"] : [json["config"], json["layers"]].flat();
  if (!Array.isArray(list)) throw malformed("has no list of parts", place);
  if (list.length > maxParts) throw malformed(`has more than ${maxParts} parts`, place);
  return list.flatMap((entry: unknown) => {
    const descriptor = readDescriptor(entry);
    if (descriptor === undefined) {
      const part = "a part without a media type, a sha256 or sha512 digest and a size";
      throw malformed(`lists ${part}`, place);
    }
    // Foreign layers have their own URLs and are not stored in the registry.
    const isElsewhere =
      isForeign(descriptor.mediaType) || (isIndex && isManifestType(descriptor.mediaType));
    return isElsewhere ? [] : [descriptor];
  });
}

function isForeign(mediaType: string): boolean {
  return /\.foreign\.|\.nondistributable\./.test(mediaType);
}

function malformed(problem: string, place: string): ImageError {
  return imageError("IMAGE_MALFORMED", `the manifest ${place} ${problem}`);
}
