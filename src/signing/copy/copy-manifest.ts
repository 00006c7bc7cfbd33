import type { CallContext } from "../../http/call-context";
import { type Descriptor, isIndexType, readDescriptor } from "../oci/protocol/descriptor";
import { algorithmOf, type Digest } from "../oci/reference/digest";
import { formatRepository, isSameRepository, type Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
import { CopyError, fromSource, streamFromSource } from "./copy-error";
import { inParallel } from "../../http/in-parallel";

/** One blob or manifest that was processed. */
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

/** Totals of a copy. */
export interface CopyCounts {
  manifests: number;
  blobs: number;
  /** Bytes of the blobs that were downloaded and uploaded. */
  sentBytes: number;
  mounted: number;
  present: number;
}

/** The state that all steps of one copy share. */
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
  /** Digests of the manifests that are completely copied. */
  readonly manifests: Set<Digest>;
}

export function stepDone({ counts, onStep }: CopyRun, step: CopyStep): void {
  if (step.kind === "manifest") counts.manifests++;
  else counts.blobs++;
  if (step.kind === "blob" && step.how === "sent") counts.sentBytes += step.size;
  if (step.how === "mounted") counts.mounted++;
  if (step.how === "present") counts.present++;
  onStep(step);
}

const maxDepth = 4;
const maxManifests = 10_000;
const maxBlobs = 100_000;

/**
 * Copies a manifest after everything it refers to, and sets the tag, if any, last.
 *
 * @throws RegistryError | CopyError
 */
export async function copyManifest(
  run: CopyRun,
  manifest: Manifest,
  options: {
    readonly tag?: string;
    readonly depth?: number;
    /** The only manifests of an index to copy. @default all */
    readonly only?: ReadonlySet<Digest> | undefined;
  } = {},
): Promise<void> {
  const { tag, depth = 1, only } = options;
  const { digest } = manifest;
  if (tag === undefined && run.manifests.has(digest)) return;
  const place = `${formatRepository(run.source)}@${digest}`;
  if (depth > maxDepth) {
    const message = `${place} is nested too deeply: an index may be within at most ${maxDepth} others`;
    throw new CopyError("SOURCE_MALFORMED", message);
  }
  if (run.manifests.size >= maxManifests) {
    throw malformed(`is one of more than ${maxManifests}, which is the maximum of a copy`, place);
  }
  const parts = partsOf(manifest, place);
  await inParallel(run.parallelBlobs, parts.blobs, (blob) => copyBlobOnce(run, blob));
  for (const { digest: child } of parts.manifests) {
    if (only !== undefined && !only.has(child)) continue;
    await copyManifest(run, await readSource(run, child), { depth: depth + 1 });
  }
  await putManifest(run, manifest, tag);
  run.manifests.add(digest);
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

/**
 * Reads a manifest from the source.
 *
 * @throws CopyError `SOURCE_MISSING`
 */
export async function readSource(run: CopyRun, digest: Digest): Promise<Manifest> {
  const { client, source, context } = run;
  const manifest = await fromSource(() => client.manifests.get(source, digest, context));
  if (manifest !== undefined) return manifest;
  throw new CopyError(
    "SOURCE_MISSING",
    `the manifest ${formatRepository(source)}@${digest} does not exist, so it cannot be copied`,
  );
}

/** Copies a blob, unless that has already begun. */
export function copyBlobOnce(run: CopyRun, blob: Descriptor): Promise<void> {
  const begun = run.blobs.get(blob.digest);
  if (begun !== undefined) return begun;
  if (run.blobs.size >= maxBlobs) {
    const message = `the image has more than ${maxBlobs} blobs, which is the maximum of a copy`;
    throw new CopyError("SOURCE_MALFORMED", message);
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

/** The content that must be in a repository before the manifest can be written: blobs, or for an index, manifests. */
function partsOf(manifest: Manifest, place: string) {
  const { json, mediaType } = manifest;
  if (isIndexType(mediaType)) return { blobs: [], manifests: read(json["manifests"], place) };
  if (!("config" in json) || !Array.isArray(json["layers"])) {
    throw malformed(`is neither an image nor an index: it has the media type ${mediaType}`, place);
  }
  const blobs = read([json["config"], ...(json["layers"] as unknown[])], place);
  // Foreign layers have their own URLs and are not stored in the registry.
  return { blobs: blobs.filter(({ mediaType: type }) => !isForeign(type)), manifests: [] };
}

function read(list: unknown, place: string): readonly Descriptor[] {
  if (!Array.isArray(list)) throw malformed("has no list of parts", place);
  if (list.length > maxParts) throw malformed(`has more than ${maxParts} parts`, place);
  return list.map((entry) => {
    const descriptor = readDescriptor(entry);
    if (descriptor === undefined) {
      throw malformed(
        "lists a part without a media type, a sha256 or sha512 digest and a size",
        place,
      );
    }
    return descriptor;
  });
}

function isForeign(mediaType: string): boolean {
  return /\.foreign\.|\.nondistributable\./.test(mediaType);
}

function malformed(problem: string, place: string): CopyError {
  return new CopyError("SOURCE_MALFORMED", `the manifest ${place} ${problem}`);
}
