import { serverMessage } from "../../http/server-message";
import { inParallel } from "../../http/in-parallel";
import { statementIn } from "../attest/attest-image";
import { type AttachedItem, Attachments, isFinal } from "../image/attachments";
import type { ImagePlace } from "../image/walk-images";
import { type Digest, readDescriptors } from "../oci/reference/descriptor";
import { entriesOf, ReadBudget } from "../oci/registry/manifests";
import { signPredicateType } from "../sigstore/format/statement";
import type { BundlePurpose } from "../sigstore/verification/verify-attached";

/** An image that has signatures or attestations. */
interface SignedImage {
  readonly digest: Digest;
  /** One of its tags. @default it has none */
  readonly tag?: string | undefined;
}

interface FoundImage extends SignedImage {
  /** What it lists, if it is an index. */
  readonly children: readonly Digest[];
}

const maxImages = 1_000;

// Reading is mostly waiting for the network.
const parallel = 8;

const suffixes = { signature: ".sig", attestation: ".att" } as const;

/**
 * Finds the images of a repository that have signatures or attestations by any signer: by their tags, and by the tags of
 * what is attached. Signing an index signs its images, so these are not listed beside the index.
 *
 * @param note receives what was not read, as sentences without a full stop
 * @throws RegistryError
 */
export async function* signedImages(
  place: ImagePlace,
  kind: BundlePurpose,
  note: (problem: string) => void,
): AsyncGenerator<SignedImage> {
  const { registry, repository, context } = place;
  const { tags, hasMore } = await registry.tags(repository, context);
  const references = [...new Set(tags.flatMap((tag) => referenceOf(tag, kind)))];
  const rest = references.length - maxImages;
  if (rest > 0) note(`${rest} tags were not read: the maximum is ${maxImages}`);
  if (hasMore) note("the repository has more tags than were read");
  const orNote = async <T>(reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      if (isFinal(error) || !(error instanceof Error)) throw error;
      note(serverMessage(error.message));
      return undefined;
    }
  };
  const found = new Map<Digest, FoundImage>();
  await inParallel(parallel, references.slice(0, maxImages), async (reference) => {
    // What is attached can outlive its image.
    const manifest = await orNote(registry.manifests.get(repository, reference, context));
    if (manifest === undefined) return;
    const { digest } = manifest;
    const tag = reference === digest ? undefined : reference;
    const names = [found.get(digest)?.tag, tag].filter((each) => each !== undefined).sort();
    const children = readDescriptors(entriesOf(manifest)).map((each) => each.digest);
    found.set(digest, { digest, tag: names[0], children });
  });
  const budget = new ReadBudget();
  const covered = new Set<Digest>();
  const isSigned = async ({ digest }: FoundImage): Promise<boolean | undefined> => {
    const attachments = new Attachments(place, digest, budget);
    const items = [...(await attachments.layers(kind)), ...(await attachments.bundles())];
    for (const each of attachments.unread) note(each);
    for (const item of items) if (await isOfKind(item, kind)) return true;
    return false;
  };
  const nameOf = ({ tag = "~", digest }: FoundImage): string => `${tag} ${digest}`;
  const inOrder = [...found.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const isIndex of [true, false]) {
    const images = inOrder.filter((each) => each.children.length > 0 === isIndex);
    for (let at = 0; at < images.length; at += parallel) {
      const some = images.slice(at, at + parallel).filter(({ digest }) => !covered.has(digest));
      const signed = await Promise.all(some.map((each) => orNote(isSigned(each))));
      for (const image of some.filter((_, index) => signed[index])) {
        if (kind === "signature") for (const child of image.children) covered.add(child);
        yield image;
      }
    }
  }
}

/** The image under a tag, or the one to which the tag attaches something; nothing for other attachments. */
function referenceOf(tag: string, kind: BundlePurpose): readonly string[] {
  const [, algorithm, hex = "", suffix] = /^(sha\d+)-([0-9a-f]{64})(\..*)?$/.exec(tag) ?? [];
  if (algorithm === undefined) return [tag];
  // The digits of a longer digest are cut.
  const isWanted = algorithm === "sha256" && (suffix ?? suffixes[kind]) === suffixes[kind];
  return isWanted ? [`sha256:${hex}`] : [];
}

/** Layers were chosen by their kind. The kind of a bundle is in its manifest, or only in its statement. */
async function isOfKind(item: AttachedItem, kind: BundlePurpose): Promise<boolean> {
  if (item.format === "legacy") return Number.isFinite(item.size);
  const type = item.claimedType ?? (await statementIn(item, kind))?.predicateType;
  return type !== undefined && (type === signPredicateType) === (kind === "signature");
}
