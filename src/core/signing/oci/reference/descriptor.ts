import { createHash } from "node:crypto";
import { isObject, type Properties } from "../../../json/plain-json";

/** The number of hexadecimal digits. */
const lengths = { sha256: 64, sha512: 128 } as const;

export type DigestAlgorithm = keyof typeof lengths;

/**
 * A digest of content: `sha256:` and 64, or `sha512:` and 128 lowercase hexadecimal digits.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests
 */
export type Digest = `${DigestAlgorithm}:${string}`;

/** Why a value is invalid. */
export interface Problem {
  /** Predicate of a sentence, such as "must …". */
  readonly problem: string;
}

export function isDigest(text: string): text is Digest {
  return /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);
}

/** The algorithm of a digest, which is also its name in `node:crypto` and in statements. */
export function algorithmOf(digest: Digest): DigestAlgorithm {
  return digest.startsWith("sha512:") ? "sha512" : "sha256";
}

export function hexOf(digest: Digest): string {
  return digest.slice(digest.indexOf(":") + 1);
}

export function parseDigest(text: string): { readonly digest: Digest } | Problem {
  if (isDigest(text)) return { digest: text };
  const [, algorithm = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (algorithm !== "sha256" && algorithm !== "sha512") {
    return { problem: "must have a digest that begins with sha256: or sha512:" };
  }
  if (isDigest(text.toLowerCase())) return { problem: "must have a lowercase digest" };
  const expected = `${lengths[algorithm]} hexadecimal digits after ${algorithm}:`;
  return { problem: `must have ${expected} (got ${describe(value)})` };
}

export function digestOf(bytes: Uint8Array, algorithm: DigestAlgorithm = "sha256"): Digest {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

// A tag has at most 128 characters, so the specification shortens longer digests.
const maxTagHex = 64;

/**
 * The tag for attachments of a digest, such as `sha256-<hex>.sig`. Without a suffix, it is the fallback tag
 * for registries without the referrers API.
 *
 * A sha512 digest does not fit into a tag: only its first 64 digits are used. This is safe because all attachments
 * contain the whole digest.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export function tagOfDigest(digest: Digest, suffix: AttachmentSuffix | "" = ""): string {
  return `${algorithmOf(digest)}-${hexOf(digest).slice(0, maxTagHex)}${suffix}`;
}

type AttachmentSuffix = ".sig" | ".att" | ".sbom";

function describe(value: string): string {
  if (!/^[0-9a-f]*$/i.test(value)) return "other characters";
  return value.length === 1 ? "1 digit" : `${value.length} digits`;
}

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

// Includes types that only older tools write.
const manifestTypes: ReadonlySet<string> = new Set([
  ...Object.values(mediaTypes),
  "application/vnd.oci.artifact.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v1+prettyjws",
]);

/** Checks for the media types of manifests and indexes. Everything else in an index is a blob, as in a build cache. */
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
