import type { Digest } from "../reference/digest";

/** Names content and says what it is, as OCI manifests do. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly artifactType?: string | undefined;
}

export const mediaTypes = {
  imageManifest: "application/vnd.oci.image.manifest.v1+json",
  imageIndex: "application/vnd.oci.image.index.v1+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
  dockerManifestList: "application/vnd.docker.distribution.manifest.list.v2+json",
} as const;

export function isIndexType(mediaType: string): boolean {
  return mediaType === mediaTypes.imageIndex || mediaType === mediaTypes.dockerManifestList;
}
