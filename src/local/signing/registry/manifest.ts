import { type HttpFailure } from "../../service/answer";
import { isObject, parsedJson } from "../../../core/json/plain-json";
import { registryFailure } from "./registry-failure";
import {
  artifactTypeOf,
  type Digest,
  isDigest,
  isIndexType,
  mediaTypes,
} from "../../../core/signing/oci/reference/descriptor";

/** A parsed manifest. The bytes are stored unchanged. */
export interface Manifest {
  readonly mediaType: string;
  readonly artifactType: string | undefined;
  readonly annotations: Readonly<Record<string, unknown>> | undefined;
  readonly subject: Digest | undefined;
  /** The content that must already be in the repository. */
  readonly blobs: readonly Reference[];
  readonly manifests: readonly Reference[];
}

interface Reference {
  readonly digest: Digest;
  readonly size: number;
  /** True if it has the media type of a manifest. */
  readonly isManifest: boolean;
}

const imageTypes: readonly string[] = [mediaTypes.imageManifest, mediaTypes.dockerManifest];

export function parseManifest(bytes: Buffer, contentType: string): Manifest {
  const value = parsedJson(bytes.toString("utf8"));
  if (!isObject(value)) throw invalid(value === undefined ? "not JSON" : "not a JSON object");
  const declared = text(value["mediaType"]);
  const mediaType = contentType === "" ? (declared ?? "") : contentType;
  if (declared !== undefined && declared !== mediaType) {
    throw invalid("its mediaType and the Content-Type differ");
  }
  const isImage = imageTypes.includes(mediaType);
  if (!isImage && !isIndexType(mediaType)) {
    throw invalid("neither an image manifest nor an index, by its media type");
  }
  if (value["schemaVersion"] !== 2) throw invalid("its schemaVersion is not 2");
  const { config, layers, manifests, subject, annotations } = value;
  return {
    mediaType,
    artifactType: artifactTypeOf(value),
    annotations: isObject(annotations) ? annotations : undefined,
    subject: subject === undefined ? undefined : reference(subject, "subject").digest,
    blobs: isImage
      ? [reference(config, "config"), ...list(layers, "layers").flatMap((layer) => stored(layer))]
      : [],
    manifests: isImage
      ? []
      : list(manifests, "manifests").map((entry) => reference(entry, "manifests")),
  };
}

/** Foreign layers, which are fetched from other URLs, need not be in the registry. */
function stored(layer: unknown): readonly Reference[] {
  const isForeign = isObject(layer) && Array.isArray(layer["urls"]) && layer["urls"].length > 0;
  return isForeign ? [] : [reference(layer, "layers")];
}

function reference(value: unknown, field: string): Reference {
  if (!isObject(value)) throw invalid(`a descriptor in ${field} is not an object`);
  const { digest, size } = value;
  if (typeof digest !== "string" || !isDigest(digest)) {
    throw invalid(`a digest in ${field} is not a sha256 or sha512 digest`);
  }
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw invalid(`a size in ${field} is not an integer`);
  }
  const mediaType = text(value["mediaType"]) ?? "";
  const isManifest = imageTypes.includes(mediaType) || isIndexType(mediaType);
  return { digest, size, isManifest };
}

function list(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${field} is not a list`);
  return value;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function invalid(problem: string): HttpFailure {
  return registryFailure("MANIFEST_INVALID", `this is not a manifest: ${problem}`);
}
