import type { CallContext } from "../../http/call-context";
import { serverMessage } from "../../http/server-message";
import { describeChild } from "../attach/read-images";
import { isIndexType, readDescriptor } from "../oci/protocol/descriptor";
import { ReadBudget } from "../oci/protocol/read-budget";
import { isAboutContent, RegistryError } from "../oci/protocol/registry-error";
import type { Reference } from "../oci/reference/reference";
import { formatRepository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { ImageTree } from "./image-tree";
import { readAttached, type TreeReading } from "./read-attached";

interface TreeSettings {
  readonly registry: RegistryClient;
  readonly image: Reference;
  readonly trust: () => Promise<TrustMaterial>;
  readonly context: CallContext;
}

const maxDepth = 4;
const maxImages = 100;

/**
 * Reads an image of a registry, the images of an index, and what is attached to each. A tag is resolved once. What is broken
 * or missing below the image is reported in the tree. At most 100 images are read, 100 items of each, and 64 MiB of all
 * signatures and attestations.
 *
 * @returns undefined if the image is not in the registry
 * @throws RegistryError
 */
export async function readTree(settings: TreeSettings): Promise<ImageTree | undefined> {
  const { registry, image, context } = settings;
  const repository = { registry: image.registry, path: image.path };
  const found = await registry.manifests.get(repository, image.digest ?? image.tag, context);
  if (found === undefined) return undefined;
  const { trust, notes } = await loaded(settings.trust);
  const reading = { registry, repository, trust, context, budget: new ReadBudget() };
  const tree = await readNode(reading, found, { left: maxImages });
  return { ...tree, notes: [...notes, ...tree.notes] };
}

/** Without the trusted root, nothing is verified, but everything else is read. */
async function loaded(trust: TreeSettings["trust"]) {
  try {
    return { trust: await trust(), notes: [] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = serverMessage(error.message);
    const note = `Nothing was verified, because the trusted root could not be loaded: ${reason}.`;
    return { trust: undefined, notes: [note] };
  }
}

/** How many images may still be read. */
interface Limit {
  left: number;
}

async function readNode(
  reading: TreeReading,
  manifest: Manifest,
  limit: Limit,
  depth = 1,
): Promise<ImageTree> {
  const { attached, notes } = await readAttached(reading, manifest.digest);
  const children = isIndexType(manifest.mediaType)
    ? await readChildren(reading, manifest, limit, depth)
    : { images: [], notes: [] };
  return {
    image: `${formatRepository(reading.repository)}@${manifest.digest}`,
    mediaType: serverMessage(manifest.mediaType),
    attached,
    images: children.images,
    notes: [...notes, ...children.notes],
  };
}

async function readChildren(
  reading: TreeReading,
  index: Manifest,
  limit: Limit,
  depth: number,
): Promise<Pick<ImageTree, "images" | "notes">> {
  const { manifests } = index.json;
  const entries: readonly unknown[] = Array.isArray(manifests) ? manifests : [];
  if (depth > maxDepth) return { images: [], notes: ["Indexes below this one are not read."] };
  const images: ImageTree[] = [];
  let unlisted = 0;
  for (const entry of entries) {
    const listed = readDescriptor(entry);
    if (listed === undefined) unlisted++;
    else if (limit.left > 0) {
      limit.left--;
      images.push(await readChild(reading, entry, listed.digest, limit, depth));
    }
  }
  const rest = entries.length - unlisted - images.length;
  return {
    images,
    notes: [
      ...(unlisted > 0 ? [`It lists ${unlisted} images without a valid digest.`] : []),
      ...(rest > 0 ? [`${rest} more images were not read: the maximum is ${maxImages}.`] : []),
    ],
  };
}

async function readChild(
  reading: TreeReading,
  entry: unknown,
  digest: Manifest["digest"],
  limit: Limit,
  depth: number,
): Promise<ImageTree> {
  const { registry, repository, context } = reading;
  const image = `${formatRepository(repository)}@${digest}`;
  const broken = (note: string): ImageTree => ({ image, attached: [], images: [], notes: [note] });
  try {
    const manifest = await registry.manifests.get(repository, digest, context);
    if (manifest === undefined) return broken("It is not in the registry.");
    const { platform, isAboutImage } = describeChild(manifest, entry);
    return {
      ...(await readNode(reading, manifest, limit, depth + 1)),
      ...(platform !== undefined && { platform: serverMessage(platform) }),
      ...(isAboutImage && { isAboutImage }),
    };
  } catch (error) {
    if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
    return broken(`It cannot be read: ${serverMessage(error.message)}.`);
  }
}
