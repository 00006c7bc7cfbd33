import { isIndexType, type Descriptor } from "../oci/protocol/descriptor";
import type { Manifest } from "../oci/registry/manifests";
import { readDescriptor } from "../oci/protocol/read-descriptor";
import { CopyError } from "./copy-error";

/** What has to be in a repository before a manifest can be put there. */
export interface ManifestParts {
  readonly blobs: readonly Descriptor[];
  readonly manifests: readonly Descriptor[];
}

const maxParts = 10_000;

/** The blobs of an image, or the manifests of an index. */
export function partsOf(manifest: Manifest, place: string): ManifestParts {
  const { json, mediaType } = manifest;
  if (isIndexType(mediaType)) return { blobs: [], manifests: read(json["manifests"], place) };
  if (!("config" in json) || !Array.isArray(json["layers"])) {
    throw malformed(`is neither an image nor an index: it has the media type ${mediaType}`, place);
  }
  const blobs = read([json["config"], ...(json["layers"] as unknown[])], place);
  // Layers with addresses of their own are not in the registry, nor are they to be.
  return { blobs: blobs.filter(({ mediaType: type }) => !isForeign(type)), manifests: [] };
}

function read(list: unknown, place: string): readonly Descriptor[] {
  if (!Array.isArray(list)) throw malformed("has no list of its parts", place);
  if (list.length > maxParts) throw malformed(`has more than ${maxParts} parts`, place);
  return list.map((entry) => {
    const descriptor = readDescriptor(entry);
    if (descriptor === undefined) {
      throw malformed("names a part without a media type, a sha256 digest and a size", place);
    }
    return descriptor;
  });
}

function isForeign(mediaType: string): boolean {
  return /\.foreign\.|\.nondistributable\./.test(mediaType);
}

function malformed(problem: string, place: string): CopyError {
  return new CopyError("SOURCE_MALFORMED", `the manifest ${place} ${problem}`);
}
