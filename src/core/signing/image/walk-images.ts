import { type Failure, failures } from "../../failure/failure";
import type { CallContext } from "../../http/call-context";
import { isObject } from "../../json/plain-json";
import {
  describeReferrer,
  type Descriptor,
  type Digest,
  isIndexType,
  isManifestType,
  readDescriptor,
  readStrings,
} from "../oci/reference/descriptor";
import { formatRepository, type Repository } from "../oci/reference/image-name";
import type { RegistryClient } from "../oci/registry/client";
import {
  entriesOf,
  type Manifest,
  maxAttachedBytes,
  maxManifestBytes,
  type ReadBudget,
} from "../oci/registry/manifests";
import type { ReferrerList } from "../oci/registry/referrers";
import { isAboutContent, RegistryError } from "../oci/registry/registry-error";

export interface ImagePlace {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly context: CallContext;
}

/** An image or index in a repository is missing, or an index lists its images in an unknown way or exceeds the limits. */
export type ImageError = Failure<"IMAGE_MISSING" | "IMAGE_MALFORMED">;
export const [imageError, isImageError] = failures<ImageError["code"]>("ImageError");

export interface WalkedImage {
  readonly digest: Digest;
  /** The index that lists it; undefined for the image with which the walk began. */
  readonly index: Digest | undefined;
  /** Undefined if it cannot be read. */
  readonly manifest: Manifest | undefined;
  /** As the index says, such as `linux/arm64/v8`; undefined if it does not, as for an index. */
  readonly platform: string | undefined;
  /**
   * True for what a builder attached to an image of the index: it has the form of an image, but nothing runs it.
   *
   * @see https://docs.docker.com/build/metadata/attestations/attestation-storage/
   */
  readonly isAboutImage: boolean;
  /** Why it cannot be read, or what of an index was left out. */
  readonly problems: readonly (ImageError | RegistryError)[];
}

const maxDepth = 4;
const maxImages = 1_000;

interface Walk extends ImagePlace {
  readonly seen: Set<Digest>;
  readonly isWanted: (digest: Digest) => boolean;
}

/**
 * Walks an image and, if it is an index, the images in it at any depth: each once, those of an index before the index, and
 * the image itself last. Entries for blobs, such as those of a build cache, are not images. What is broken, missing or
 * beyond the limits is a problem of what is yielded, and does not end the walk.
 *
 * @param isWanted selects among the images that the index itself lists. @default all
 * @throws RegistryError for what is not about one image
 */
export async function* walkImages(
  place: ImagePlace,
  image: Manifest,
  isWanted: (digest: Digest) => boolean = () => true,
): AsyncGenerator<WalkedImage> {
  const walk = { ...place, seen: new Set([image.digest]), isWanted };
  yield* descend(walk, { digest: image.digest, index: undefined, ...described(undefined) }, image);
}

type Described = Omit<WalkedImage, "manifest" | "problems">;

async function* descend(
  walk: Walk,
  self: Described,
  manifest: Manifest,
  depth = 1,
): AsyncGenerator<WalkedImage> {
  const entries = isIndexType(manifest.mediaType) ? entriesOf(manifest) : [];
  const isTooDeep = depth > maxDepth;
  let [invalid, left] = [0, 0];
  for (const entry of entries) {
    const listed = readDescriptor(entry);
    if (listed === undefined) invalid++;
    if (listed === undefined || !isManifestType(listed.mediaType)) continue;
    const { digest } = listed;
    if (walk.seen.has(digest) || (depth === 1 && !walk.isWanted(digest))) continue;
    if (isTooDeep || walk.seen.size > maxImages) {
      left++;
      continue;
    }
    walk.seen.add(digest);
    const child = { digest, index: self.digest, ...described(entry) };
    const read = await readListed(walk, child);
    if ("problem" in read) yield { ...child, manifest: undefined, problems: [read.problem] };
    else yield* descend(walk, child, read, depth + 1);
  }
  const limit = isTooDeep
    ? `indexes are read ${maxDepth} levels deep`
    : `the maximum is ${maxImages} images`;
  const problems = [
    ...(invalid > 0 ? [`has entries without a valid digest: ${invalid}`] : []),
    ...(left > 0 ? [`lists more images, of which ${left} were not read: ${limit}`] : []),
  ].map((problem) => imageError("IMAGE_MALFORMED", `the index ${self.digest} ${problem}`));
  yield { ...self, manifest, problems };
}

async function readListed(
  place: ImagePlace,
  { digest, index }: Described,
): Promise<Manifest | { readonly problem: ImageError | RegistryError }> {
  try {
    return await readImage(place, digest, `, listed in the index ${index},`);
  } catch (error) {
    const isAbout = error instanceof RegistryError && isAboutContent(error);
    if (isAbout || isImageError(error)) return { problem: error };
    throw error;
  }
}

/**
 * Reads the manifest of an image.
 *
 * @param origin for messages: where its digest is from
 * @throws ImageError `IMAGE_MISSING`; RegistryError
 */
export async function readImage(
  { registry, repository, context }: ImagePlace,
  digest: Digest,
  origin = "",
): Promise<Manifest> {
  const found = await registry.manifests.get(repository, digest, context);
  if (found !== undefined) return found;
  const name = `${formatRepository(repository)}@${digest}`;
  throw imageError("IMAGE_MISSING", `${name}${origin} is not in the registry`);
}

function described(entry: unknown): Pick<WalkedImage, "platform" | "isAboutImage"> {
  const listed = isObject(entry) ? entry : {};
  const platform = platformOf(readStrings(listed["platform"]));
  const type = readStrings(listed["annotations"])?.["vnd.docker.reference.type"];
  // With another platform, something might run it.
  return {
    platform,
    isAboutImage: type === "attestation-manifest" && platform === "unknown/unknown",
  };
}

function platformOf({ os, architecture, variant }: Readonly<Record<string, string>> = {}):
  string | undefined {
  if (os === undefined || architecture === undefined) return undefined;
  return platformName({ os, architecture, variant });
}

/** Such as `linux/arm64/v8`. */
export const platformName = (
  of: Record<"os" | "architecture", string> & { variant?: string | undefined },
) => [of.os, of.architecture, of.variant ?? []].flat().join("/");

/** A manifest that refers to the image. The manifest counts, because lists may omit annotations and types. */
export interface Referrer {
  readonly descriptor: Descriptor;
  /** A problem if it cannot be used. */
  readonly manifest: Manifest | { readonly problem: string };
}

/** The maximum number of referrers, and of layers under a tag, that are read for one image. */
export const maxItems = 1_000;

export const mebibytes = `${maxAttachedBytes / 1024 / 1024} MiB`;

export class ReferrerReader {
  /** What was not read, as sentences without a full stop. */
  readonly notes = new Set<string>();
  /** What was read before, as its manifest describes it; undefined if it is gone or has another subject. */
  readonly #known = new Map<Digest, Descriptor | undefined>();
  #list: Promise<ReferrerList> | undefined;
  readonly #place: ImagePlace;
  readonly #image: Digest;
  readonly #budget: ReadBudget;

  constructor(place: ImagePlace, image: Digest, budget: ReadBudget) {
    this.#place = place;
    this.#image = image;
    this.#budget = budget;
  }

  listed(): Promise<ReferrerList> {
    const { registry, repository, context } = this.#place;
    return (this.#list ??= registry.referrers.list(repository, this.#image, context));
  }

  /**
   * Reads the manifests of referrers one after the other, within the budget. A manifest that is broken or too large is a
   * problem; one that is gone, or has another subject, is skipped.
   *
   * @param isWanted by its entry in the list
   * @param first the digests to read before the others. @default none
   */
  async *read(
    isWanted: (descriptor: Descriptor) => boolean = () => true,
    first: ReadonlySet<Digest> = new Set(),
  ): AsyncGenerator<Referrer> {
    const { referrers, hasMore = false } = await this.listed();
    const current = referrers.flatMap((entry) =>
      this.#known.has(entry.digest) ? (this.#known.get(entry.digest) ?? []) : entry,
    );
    const each = new Map(current.filter(isWanted).map((entry) => [entry.digest, entry]));
    const order = ({ digest, size }: Descriptor) => (first.has(digest) ? -1 : size);
    const inOrder = [...each.values()].sort((a, b) => order(a) - order(b));
    let read = 0;
    for (const descriptor of inOrder.slice(0, maxItems)) {
      // The listed size may be wrong.
      if (!this.#budget.fits(Math.min(descriptor.size, maxManifestBytes))) continue;
      const manifest = await this.#readOne(descriptor);
      const isHeld = manifest !== undefined && "bytes" in manifest;
      if (!this.#budget.take(isHeld ? manifest.bytes.byteLength : 0)) continue;
      read++;
      if (manifest !== undefined) yield { descriptor, manifest };
    }
    if (read === inOrder.length && !hasMore) return;
    this.notes.add(
      `${formatRepository(this.#place.repository)}@${this.#image} has ${hasMore ? "at least " : ""}${inOrder.length} referrers that may be wanted, and only the ` +
        `smallest ${read} were read: the maximum is ${maxItems}, and ${mebibytes} where they are verified`,
    );
  }

  async #readOne(listed: Descriptor): Promise<Referrer["manifest"] | undefined> {
    const { registry, repository, context } = this.#place;
    const { digest } = listed;
    try {
      const manifest = await registry.manifests.get(repository, digest, context);
      const subject = manifest && readDescriptor(manifest.json["subject"]);
      const found = subject?.digest === this.#image ? manifest : undefined;
      this.#known.set(digest, found && describeReferrer(found.json, listed));
      return found;
    } catch (error) {
      if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
      return { problem: error.message };
    }
  }
}
