import { serverMessage } from "../../http/server-message";
import { type AttachedItem as FoundItem, Attachments, isFinal } from "../image/attachments";
import type { ImagePlace } from "../image/walk-images";
import { type Descriptor, describeReferrer } from "../oci/protocol/descriptor";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { tagOfDigest, type Digest } from "../oci/reference/digest";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { nextTurn } from "../sigstore/verification/next-turn";
import type { BundlePurpose } from "../sigstore/verification/verify-bundle";
import type { AttachedItem, ImageTree } from "./image-tree";
import { problemReport, unchecked } from "./report-proofs";
import { reportItem } from "./report-item";

/** What the reads of one tree share. */
export interface TreeReading extends ImagePlace {
  /** Undefined if it could not be loaded. */
  readonly trust: TrustMaterial | undefined;
  readonly budget: ReadBudget;
  /** What was looked at for what is attached to it. A registry may list anything as a referrer of anything. */
  readonly seen: Set<Digest>;
}

const maxDepth = 4;

const order = ["signature", "attestation", "artifact"] as const;

/**
 * Reads what is attached to an image: the layers under its tags, and its referrers, with what is attached to an artifact such
 * as an SBOM.
 *
 * @throws RegistryError `DEADLINE`, `CANCELLED`; InterruptedError
 */
export async function readAttached(
  reading: TreeReading,
  image: Digest,
  depth = 1,
): Promise<Pick<ImageTree, "attached" | "notes">> {
  reading.seen.add(image);
  const attachments = new Attachments(reading, image, reading.budget);
  const notes = new Set<string>();
  /** A place that cannot be read is a note. */
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
  if (unread > 0) notes.add(`What is attached to ${unread} artifacts of ${image} was not read.`);
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
