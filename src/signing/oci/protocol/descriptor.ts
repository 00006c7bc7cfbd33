import { isObject, type Properties } from "../../../json/plain-json";
import { type Digest, isDigest } from "../reference/digest";

/** The members of an object that are strings; undefined if the value is not an object. */
export function readStrings(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const strings = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(strings);
}

/**
 * An OCI content descriptor.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/descriptor.md
 */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly artifactType?: string | undefined;
}

/**
 * Media types of manifests and indexes, of OCI and Docker.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/media-types.md
 */
export const mediaTypes = {
  imageManifest: "application/vnd.oci.image.manifest.v1+json",
  imageIndex: "application/vnd.oci.image.index.v1+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
  dockerManifestList: "application/vnd.docker.distribution.manifest.list.v2+json",
} as const;

/** Checks for the media types of an index: a manifest that lists manifests. */
export function isIndexType(mediaType: string): boolean {
  return mediaType === mediaTypes.imageIndex || mediaType === mediaTypes.dockerManifestList;
}

// Also those that only older tools write.
const manifestTypes: ReadonlySet<string> = new Set([
  ...Object.values(mediaTypes),
  "application/vnd.oci.artifact.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v1+prettyjws",
]);

/** Checks for the media types of manifests and indexes. Whatever else an index lists is a blob, as in a build cache. */
export function isManifestType(mediaType: string): boolean {
  return manifestTypes.has(mediaType);
}

/** The type of an artifact: its own, or that of its configuration. */
export function artifactTypeOf(manifest: Properties): string | undefined {
  const { artifactType, config } = manifest;
  const types = [artifactType, isObject(config) ? config["mediaType"] : undefined];
  return types.find((type): type is string => typeof type === "string" && type !== "");
}

/**
 * Describes a manifest for a list of referrers.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export function describeReferrer(manifest: Properties, descriptor: Descriptor): Descriptor {
  const artifactType = artifactTypeOf(manifest);
  const annotations = readStrings(manifest["annotations"]);
  return {
    ...descriptor,
    ...(annotations && { annotations }),
    ...(artifactType !== undefined && { artifactType }),
  };
}

/** Parses an untrusted descriptor; undefined if it has no media type, valid digest or size. */
export function readDescriptor(value: unknown): Descriptor | undefined {
  if (!isObject(value)) return undefined;
  const { mediaType, digest, size, artifactType } = value;
  if (typeof mediaType !== "string" || typeof digest !== "string" || !isDigest(digest)) {
    return undefined;
  }
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  const annotations = readStrings(value["annotations"]);
  return {
    mediaType,
    digest,
    size,
    ...(annotations === undefined ? {} : { annotations }),
    // Some registries list an empty type for a manifest without one.
    ...(typeof artifactType === "string" && artifactType !== "" ? { artifactType } : {}),
  };
}

/**
 * Parses a list of manifests, without the entries that have no valid digest. Their sizes are wrong in some registries, which
 * count the layers, too: they only say what to read first. The digest decides.
 */
export function readDescriptors(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const { mediaType, size } = isObject(entry) ? entry : {};
    const isSize = typeof size === "number" && Number.isSafeInteger(size) && size >= 0;
    const type = typeof mediaType === "string" ? mediaType : mediaTypes.imageManifest;
    const listed = { ...(isObject(entry) && entry), mediaType: type };
    return readDescriptor({ ...listed, size: isSize ? size : Number.MAX_SAFE_INTEGER }) ?? [];
  });
}
