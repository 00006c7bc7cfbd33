import type { CallContext } from "../../http/call-context";
import { serverMessage } from "../../http/server-message";
import { type WalkedImage, walkImages } from "../image/walk-images";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { Digest } from "../oci/reference/digest";
import type { Reference } from "../oci/reference/reference";
import { formatRepository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { ImageTree } from "./image-tree";
import { readAttached, type TreeReading } from "./read-attached";

interface TreeSettings {
  readonly registry: RegistryClient;
  readonly image: Reference;
  readonly trust: () => Promise<TrustMaterial>;
  readonly context: CallContext;
}

/**
 * Reads an image of a registry, the images of an index, and what is attached to each. A tag is resolved once. What is broken
 * or missing below the image is reported in the tree.
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
  const budget = new ReadBudget();
  const reading = { registry, repository, context, trust, budget, seen: new Set<Digest>() };
  // Before what is attached to the images in it, which may fill the budget.
  const own = await readAttached(reading, found.digest);
  const below = new Map<Digest | undefined, ImageTree[]>();
  for await (const each of walkImages(reading, found)) {
    const { digest, index, manifest } = each;
    const attached =
      digest === found.digest ? own : manifest && (await readAttached(reading, digest));
    const siblings = below.get(index) ?? [];
    siblings.push(treeOf(reading, each, attached ?? nothing, below.get(digest) ?? []));
    below.set(index, siblings);
  }
  const [tree] = below.get(undefined) ?? [];
  return tree && { ...tree, notes: [...notes, ...tree.notes] };
}

type WhatIsAttached = Pick<ImageTree, "attached" | "notes">;

const nothing: WhatIsAttached = { attached: [], notes: [] };

function treeOf(
  { repository }: TreeReading,
  { digest, manifest, platform, isAboutImage, problems }: WalkedImage,
  { attached, notes }: WhatIsAttached,
  images: readonly ImageTree[],
): ImageTree {
  return {
    image: `${formatRepository(repository)}@${digest}`,
    ...(platform !== undefined && { platform: serverMessage(platform) }),
    ...(manifest && { mediaType: serverMessage(manifest.mediaType) }),
    ...(isAboutImage && { isAboutImage }),
    attached,
    images,
    notes: [
      ...notes,
      ...problems.map(({ message }) => `Not everything was read: ${serverMessage(message)}.`),
    ],
  };
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
