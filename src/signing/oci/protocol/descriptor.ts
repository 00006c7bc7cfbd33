import { isObject } from "../../../json/plain-json";
import { isDigest, type Digest } from "../reference/digest";
import { readStrings } from "./read-json";

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
    ...(typeof artifactType === "string" ? { artifactType } : {}),
  };
}

/** Parses a list of untrusted descriptors, without the invalid ones. */
export function readDescriptors(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => readDescriptor(entry) ?? []);
}
