import { isObject } from "../../json/plain-json";
import { isIndexType, readDescriptor } from "../oci/protocol/descriptor";
import { readStrings } from "../oci/protocol/read-json";
import { isDigest, type Digest } from "../oci/reference/digest";
import type { Manifest } from "../oci/registry/manifests";
import { CopyError } from "./copy-error";

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
export function selectPlatforms(
  { mediaType, json }: Manifest,
  platforms: readonly string[],
  place: string,
): SelectedImages {
  if (!isIndexType(mediaType)) {
    const problem = `platforms select images of an index, and ${place} is a single image`;
    throw new CopyError("PLATFORMS", `${problem}; leave them out to copy it`);
  }
  const images = Array.isArray(json["manifests"]) ? json["manifests"].flatMap(imageOf) : [];
  const unknown = platforms.filter((wanted) => !images.some((image) => matches(image, wanted)));
  if (unknown.length > 0) {
    const known = images.map(nameOf).filter((name) => name !== "unknown/unknown");
    throw new CopyError(
      "PLATFORMS",
      `the index ${place} has no image for ${unknown.join(", ")}; it has images for ${known.join(", ") || "no platform"}`,
    );
  }
  const selected = images.filter((image) => platforms.some((wanted) => matches(image, wanted)));
  const digests = new Set(selected.map(({ digest }) => digest));
  for (const { digest, about } of images) {
    if (about !== undefined && isDigest(about) && digests.has(about)) digests.add(digest);
  }
  return { digests, names: selected.map((image) => `${nameOf(image)} is ${image.digest}`) };
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

/** Variants that are usually left out. */
const usualVariants: Readonly<Record<string, string>> = { arm: "v7", arm64: "v8" };

function matches({ os, architecture, variant }: ListedImage, platform: string): boolean {
  const [wantedOs, wantedArchitecture, wantedVariant] = platform.split("/");
  return (
    os === wantedOs &&
    architecture === wantedArchitecture &&
    (wantedVariant === undefined || (variant ?? usualVariants[architecture]) === wantedVariant)
  );
}

function nameOf({ os, architecture, variant }: ListedImage): string {
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
}
