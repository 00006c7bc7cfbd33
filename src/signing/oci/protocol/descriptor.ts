import type { Digest } from "../reference/digest";

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

/** Whether a media type is that of an index: a manifest that lists manifests. */
export function isIndexType(mediaType: string): boolean {
  return mediaType === mediaTypes.imageIndex || mediaType === mediaTypes.dockerManifestList;
}
