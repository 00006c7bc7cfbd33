import type { CallContext } from "../../http/call-context";
import { isObject } from "../../json/plain-json";
import { isIndexType, readDescriptor, type Descriptor } from "../oci/protocol/descriptor";
import { readStrings } from "../oci/protocol/read-json";
import type { Digest } from "../oci/reference/digest";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
import { SigningError } from "./signing-error";

/** Where to read an image. */
interface ImagePlace {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly context: CallContext;
}

/** An image, with the images of an index. */
export interface ImageTree {
  readonly image: Descriptor;
  /** The images of an index at any depth, each once, those of an index before the index. */
  readonly children: readonly ChildImage[];
}

/** An image in an index, or another index. */
interface ChildImage {
  readonly descriptor: Descriptor;
  /** As the index says, such as `linux/arm64/v8`; undefined if it does not, as for an index. */
  readonly platform: string | undefined;
  /**
   * True for what a builder attached to an image of the index: it has the form of an image, but nothing runs it.
   *
   * @see https://docs.docker.com/build/metadata/attestations/attestation-storage/
   */
  readonly isAboutImage: boolean;
}

const maxDepth = 4;
const maxImages = 1_000;

/**
 * Reads the manifest of an image and, if `isRecursive`, of all images of an index at any depth.
 *
 * @throws SigningError `IMAGE_MISSING`, `IMAGE_MALFORMED`; RegistryError
 */
export async function readImages(
  place: ImagePlace,
  digest: Digest,
  { isRecursive }: { readonly isRecursive: boolean },
): Promise<ImageTree> {
  const image = await readImage(place, digest);
  const children = isRecursive ? await readChildren(place, image) : [];
  return { image: descriptorOf(image), children };
}

/**
 * Reads the manifests of all images of an index, as for {@link readImages}.
 *
 * @returns none if it is no index
 * @throws SigningError `IMAGE_MISSING`, `IMAGE_MALFORMED`; RegistryError
 */
export async function readChildren(
  place: ImagePlace,
  image: Manifest,
): Promise<readonly ChildImage[]> {
  const found = new Map<Digest, ChildImage>();
  await descend(place, image, found);
  return [...found.values()];
}

async function descend(
  place: ImagePlace,
  index: Manifest,
  found: Map<Digest, ChildImage>,
  depth = 1,
): Promise<void> {
  if (!isIndexType(index.mediaType)) return;
  const name = `the index ${index.digest}`;
  if (depth > maxDepth) throw malformed(`${name} is nested in more than ${maxDepth} others`);
  const entries: unknown = index.json["manifests"];
  for (const entry of Array.isArray(entries) ? entries : []) {
    const listed = readDescriptor(entry);
    if (listed === undefined) throw malformed(`${name} lists an image without a valid digest`);
    if (found.has(listed.digest)) continue;
    const image = await readImage(place, listed.digest, index.digest);
    await descend(place, image, found, depth + 1);
    found.set(listed.digest, describeChild(image, entry));
    if (found.size > maxImages) throw malformed(`${name} has more than ${maxImages} images`);
  }
}

async function readImage(
  { registry, repository, context }: ImagePlace,
  digest: Digest,
  index?: Digest,
): Promise<Manifest> {
  const found = await registry.manifests.get(repository, digest, context);
  if (found !== undefined) return found;
  const image = `${formatRepository(repository)}@${digest}`;
  const message =
    index === undefined
      ? `${image} is not in the registry; push it first`
      : `${image}, listed in the index ${index}, is not in the registry; push it first, or set recursive to false`;
  throw new SigningError("IMAGE_MISSING", message);
}

function descriptorOf({ mediaType, digest, bytes }: Manifest): Descriptor {
  return { mediaType, digest, size: bytes.byteLength };
}

/**
 * Describes an image of an index.
 *
 * @param entry how the index lists it
 */
export function describeChild(manifest: Manifest, entry: unknown): ChildImage {
  const listed = isObject(entry) ? entry : {};
  const platform = platformOf(readStrings(listed["platform"]));
  const type = readStrings(listed["annotations"])?.["vnd.docker.reference.type"];
  return {
    descriptor: descriptorOf(manifest),
    platform,
    // With another platform, something might run it.
    isAboutImage: type === "attestation-manifest" && platform === "unknown/unknown",
  };
}

function platformOf({ os, architecture, variant }: Readonly<Record<string, string>> = {}):
  string | undefined {
  if (os === undefined || architecture === undefined) return undefined;
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
}

function malformed(problem: string): SigningError {
  return new SigningError("IMAGE_MALFORMED", problem);
}
