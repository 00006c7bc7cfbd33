import type { CallContext } from "../../http/call-context";
import { serverMessage } from "../../http/server-message";
import { type ImagePlace, type WalkedImage, walkImages } from "../image/walk-images";
import { ReadBudget } from "../oci/registry/manifests";
import {
  type Digest,
  tagOfDigest,
  describeReferrer,
  type Descriptor,
} from "../oci/reference/descriptor";
import { formatRepository, type Reference } from "../oci/reference/image-name";
import type { RegistryClient } from "../oci/registry/client";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import type { AttachedItem, ImageTree } from "./image-tree";
import { type AttachedItem as FoundItem, Attachments, isFinal } from "../image/attachments";
import { nextTurn } from "../sigstore/verification/next-turn";
import { problemReport, unchecked } from "./report-proofs";
import { reportItem } from "./report-item";
import type { BundlePurpose } from "../sigstore/verification/verify-attached";

interface TreeSettings {
  readonly registry: RegistryClient;
  readonly image: Reference;
  readonly trust: () => Promise<TrustMaterial>;
  readonly context: CallContext;
}

/**
 * Reads an image in a registry, the images of an index, and what is attached to each. A tag is resolved once. The tree reports
 * what is broken or missing below the image.
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
  // Read first, because the images in it may use up the budget.
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

/** Without the trusted root, everything is read, but nothing is verified. */
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

interface TreeReading extends ImagePlace {
  /** Undefined if it could not be loaded. */
  readonly trust: TrustMaterial | undefined;
  readonly budget: ReadBudget;
  /** Manifests whose attachments were read. A registry can list anything as a referrer of anything. */
  readonly seen: Set<Digest>;
}

const maxDepth = 4;

const order = ["signature", "attestation", "artifact"] as const;

/**
 * Reads what is attached to an image: the layers under its tags, and its referrers, including what is attached to an artifact
 * such as an SBOM.
 *
 * @throws RegistryError `DEADLINE`, `CANCELLED`; HttpError, likewise
 */
async function readAttached(
  reading: TreeReading,
  image: Digest,
  depth = 1,
): Promise<WhatIsAttached> {
  reading.seen.add(image);
  const attachments = new Attachments(reading, image, reading.budget);
  const notes = new Set<string>();
  /** Notes a place that cannot be read. */
  const orNote = async <T>(what: string, read: Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await read;
    } catch (error) {
      if (isFinal(error) || !(error instanceof Error)) throw error;
      notes.add(`The ${what} cannot be read: ${serverMessage(error.message)}.`);
      return [];
    }
  };
  const signatures = await orNote("signatures", attachments.layers("signature"));
  const attestations = await orNote("attestations", attachments.layers("attestation"));
  const bundles = await orNote("referrers", attachments.bundles());
  const items = [...signatures, ...attestations, ...bundles];
  const others = await orNote("referrers", otherReferrers(attachments, items));
  const tagged = await orNote("bill of materials", billOfMaterials(reading, image));
  const attached: AttachedItem[] = [];
  for (const item of items) {
    const kind = signatures.includes(item) ? "signature" : "attestation";
    attached.push(await described(reading, image, item, kind));
  }
  let unread = 0;
  for (const artifact of [...others, ...tagged]) {
    const { digest } = artifact;
    const isNew = !reading.seen.has(digest);
    const isTooDeep = depth === maxDepth;
    if (isNew && isTooDeep) unread++;
    const below = isNew && !isTooDeep ? await readAttached(reading, digest, depth + 1) : undefined;
    for (const note of below?.notes ?? []) notes.add(note);
    attached.push({ ...artifact, ...(below?.attached.length && { attached: below.attached }) });
  }
  if (unread > 0) {
    const artifacts = unread === 1 ? "one artifact" : `${unread} artifacts`;
    notes.add(
      `The attachments of ${artifacts} of ${image} were not read: they are too deeply nested.`,
    );
  }
  return {
    attached: attached.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    notes: [...notes, ...attachments.unread.map((each) => `Not everything was read: ${each}.`)],
  };
}

async function described(
  { context, trust }: TreeReading,
  image: Digest,
  { format, label: place, digest, read }: FoundItem,
  kind: BundlePurpose,
): Promise<AttachedItem> {
  await nextTurn(context);
  const content = await read();
  const item =
    "problem" in content
      ? { kind, check: problemReport(content), logEntries: [], timestamps: [] }
      : reportItem(content, { kind, image, trust });
  return { ...item, format, place, digest };
}

type Artifact = AttachedItem & { readonly digest: Digest };

/** The referrers that are neither bundles nor legacy signatures. */
async function otherReferrers(
  attachments: Attachments,
  items: readonly FoundItem[],
): Promise<readonly Artifact[]> {
  const known = new Set(items.map(({ referrer }) => referrer));
  const found: Artifact[] = [];
  const others = attachments.referrers(({ digest }) => !known.has(digest));
  for await (const { descriptor, manifest } of others) {
    if ("problem" in manifest) {
      const check = problemReport({ code: "FORMAT", problem: manifest.problem });
      found.push({ ...artifactOf(descriptor), check });
    } else found.push(artifactOf(describeReferrer(manifest.json, descriptor)));
  }
  return found;
}

function artifactOf({ digest, artifactType, mediaType }: Descriptor): Artifact {
  return {
    kind: "artifact",
    format: "other",
    place: `the referrer ${digest}`,
    digest,
    type: serverMessage(artifactType ?? mediaType),
    check: unchecked("not a Sigstore bundle"),
    logEntries: [],
    timestamps: [],
  };
}

/** The artifact under the tag `.sbom`, which older tools write. */
async function billOfMaterials(
  { registry, repository, context }: TreeReading,
  image: Digest,
): Promise<readonly Artifact[]> {
  const tag = tagOfDigest(image, ".sbom");
  const found = await registry.manifests.get(repository, tag, context);
  if (found === undefined) return [];
  const { digest, mediaType } = found;
  return [{ ...artifactOf({ digest, mediaType, size: 0 }), place: `the tag ${tag}` }];
}
