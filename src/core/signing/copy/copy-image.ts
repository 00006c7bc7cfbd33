import type { CallContext } from "../../http/call-context";
import {
  type DigestReference,
  formatRepository,
  isSameRepository,
  type Repository,
} from "../oci/reference/image-name";
import { platformName, readImage } from "../image/walk-images";
import { ReadBudget, descriptorOf, entriesOf, type Manifest } from "../oci/registry/manifests";
import type { RegistryClient } from "../oci/registry/client";
import { RegistryError } from "../oci/registry/registry-error";
import { copyAttachments } from "./copy-layers";
import {
  type CopyCounts,
  copyManifest,
  type CopyRun,
  type CopyStep,
  fromSource,
  putManifest,
  copyError,
} from "./copy-manifest";
import { isObject } from "../../json/plain-json";
import {
  isIndexType,
  readDescriptor,
  readStrings,
  type Digest,
  isDigest,
} from "../oci/reference/descriptor";

interface CopySettings {
  readonly client: RegistryClient;
  readonly context: CallContext;
  /** Called after each blob and manifest. */
  readonly onStep?: ((step: CopyStep) => void) | undefined;
  /** Tags to set at the destination, after everything is copied. @default none */
  readonly tags?: readonly string[] | undefined;
  /** Platforms of an index whose images are copied. @default all */
  readonly platforms?: readonly string[] | undefined;
  /** Maximum number of blobs copied in parallel. @default 4 */
  readonly parallelBlobs?: number | undefined;
}

const maxReferrers = 10_000;
// A message lists only the first.
const maxListed = 8;

interface CopyResult extends Readonly<CopyCounts> {
  /** `<destination>@<digest>` */
  readonly copiedRef: string;
  readonly warnings: readonly string[];
}

/**
 * Copies an image, or an index with its images, and everything attached to them to another repository.
 * All content is verified against its digest.
 *
 * Every manifest is written after the content that it refers to, so an interrupted copy leaves nothing
 * incomplete, and a second run continues where the first one stopped. Tags come last.
 *
 * @throws RegistryError, ImageError, CopyError
 */
export async function copyImage(
  source: DigestReference,
  destination: Repository,
  settings: CopySettings,
): Promise<CopyResult> {
  const { client, context, onStep = () => undefined, parallelBlobs = 4 } = settings;
  const { registry, path, digest } = source;
  const run: CopyRun = {
    client,
    destination,
    context,
    onStep,
    parallelBlobs,
    source: { registry, path },
    counts: { manifests: 0, blobs: 0, sentBytes: 0, mounted: 0, present: 0, referrers: 0 },
    blobs: new Map(),
    manifests: new Set(),
    warnings: new Set(),
    leftOut: new Set(),
  };
  const place = { registry: client, repository: run.source, context };
  const image = await fromSource(() => readImage(place, digest));
  const work = () => copyAll(run, image, settings);
  return client.writeImage(destination, descriptorOf(image), context, work);
}

async function copyAll(run: CopyRun, image: Manifest, settings: CopySettings): Promise<CopyResult> {
  const { source, destination, manifests, leftOut, warnings } = run;
  await copySelected(run, image, settings.platforms);
  const budget = new ReadBudget(Infinity, maxReferrers);
  // The set grows during the loop: what is attached may be signed, too, such as an SBOM.
  const subjects = isSameRepository(source, destination) ? [] : manifests;
  for (const subject of subjects) await copyAttachments(run, subject, budget);
  if (leftOut.size > 0) {
    const listed = [...leftOut].slice(0, maxListed).join("; ");
    const rest = leftOut.size > maxListed ? `; and ${leftOut.size - maxListed} more` : "";
    throw copyError(
      "SIGNATURES",
      `${listed}${rest}. Everything else was copied, and no tag was set`,
    );
  }
  for (const tag of settings.tags ?? []) await putManifest(run, image, tag);
  const copiedRef = `${formatRepository(run.destination)}@${image.digest}`;
  return { copiedRef, ...run.counts, warnings: [...warnings] };
}

/**
 * Copies an image; of an index, only the images for some platforms.
 *
 * The index itself is copied unchanged: a smaller index would have another digest, so no signature of it
 * would be valid.
 */
async function copySelected(
  run: CopyRun,
  image: Manifest,
  platforms: readonly string[] | undefined,
): Promise<void> {
  if (platforms === undefined) return copyManifest(run, image);
  const place = `${formatRepository(run.source)}@${image.digest}`;
  const { digests, names } = selectPlatforms(image, platforms, place);
  try {
    await copyManifest(run, image, { isWanted: (digest) => digests.has(digest) });
  } catch (error) {
    // Everything that it refers to exists, except the images that were left out.
    const isRefused =
      error instanceof RegistryError && (error.code === "REFUSED" || error.code === "NOT_FOUND");
    if (!isRefused || [...digests].some((each) => !run.manifests.has(each))) throw error;
    throw copyError(
      "PLATFORMS",
      `the registry ${run.destination.registry} does not accept an index without all of its images; ` +
        `copy all platforms, or the image of one platform by its digest (${names.join(", ")}): ${error.message}`,
    );
  }
}

interface SelectedImages {
  readonly digests: ReadonlySet<Digest>;
  /** Each of them with its platform, for messages. */
  readonly names: readonly string[];
}

/**
 * Selects the images of an index for some platforms, with the attestations that a builder added to the index
 * for them.
 *
 * @param platforms `os/architecture`, for any variant, or `os/architecture/variant`
 * @param place the image, for messages
 * @throws CopyError `PLATFORMS`
 */
function selectPlatforms(
  { mediaType, json }: Manifest,
  platforms: readonly string[],
  place: string,
): SelectedImages {
  if (!isIndexType(mediaType)) {
    const problem = `platforms select images of an index, but ${place} is a single image`;
    throw copyError("PLATFORMS", `${problem}; remove platforms to copy it`);
  }
  const images = entriesOf({ json }).flatMap(imageOf);
  const unknown = platforms.filter((wanted) => !images.some((image) => matches(image, wanted)));
  if (unknown.length > 0) {
    const known = images.map(platformName).filter((name) => name !== "unknown/unknown");
    throw copyError(
      "PLATFORMS",
      `the index ${place} has no image for ${unknown.join(", ")}; it has images for ${known.join(", ") || "no platform"}`,
    );
  }
  const selected = images.filter((image) => platforms.some((wanted) => matches(image, wanted)));
  const digests = new Set(selected.map(({ digest }) => digest));
  for (const { digest, about } of images) {
    if (about !== undefined && isDigest(about) && digests.has(about)) digests.add(digest);
  }
  return { digests, names: selected.map((image) => `${platformName(image)} is ${image.digest}`) };
}

interface ListedImage {
  readonly digest: Digest;
  readonly os: string;
  readonly architecture: string;
  readonly variant: string | undefined;
  /** The image that this one is an attestation of. */
  readonly about: string | undefined;
}

function imageOf(entry: unknown): readonly ListedImage[] {
  const descriptor = readDescriptor(entry);
  if (descriptor === undefined || !isObject(entry)) return [];
  const { os = "", architecture = "", variant } = readStrings(entry["platform"]) ?? {};
  const about = descriptor.annotations?.["vnd.docker.reference.digest"];
  return [{ digest: descriptor.digest, os, architecture, variant, about }];
}

const usualVariants: Readonly<Record<string, string>> = { arm: "v7", arm64: "v8" };

function matches({ os, architecture, variant }: ListedImage, platform: string): boolean {
  const [wantedOs, wantedArchitecture, wantedVariant] = platform.split("/");
  return (
    os === wantedOs &&
    architecture === wantedArchitecture &&
    (wantedVariant === undefined || (variant ?? usualVariants[architecture]) === wantedVariant)
  );
}
