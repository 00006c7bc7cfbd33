import { isObject, isJsonObject, type JsonObject, type JsonValue } from "../../../json/plain-json";
import {
  describeReferrer,
  type Descriptor,
  mediaTypes,
  readDescriptor,
  readDescriptors,
  type Digest,
  tagOfDigest,
} from "../reference/descriptor";
import { parseJson } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import { layoutError } from "./layout-files";
import { isAboutContent, RegistryError } from "../registry/registry-error";
import { formatRepository, type Repository } from "../reference/image-name";
import { descriptorOf, type Manifest } from "../registry/manifests";

const tagAnnotation = "org.opencontainers.image.ref.name";

/**
 * The content of `index.json`: images, with their tags as annotations, and what refers to them. Entries of other tools
 * are kept.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/image-layout.md#indexjson-file
 */
export class LayoutIndex {
  readonly entries: readonly unknown[];
  readonly #json: JsonObject;

  private constructor(json: JsonObject, entries: readonly unknown[]) {
    this.#json = json;
    this.entries = entries;
  }

  /** @throws RegistryError `LAYOUT` */
  static parse(bytes: Buffer | undefined, label: string): LayoutIndex {
    if (bytes === undefined) {
      return new LayoutIndex({ schemaVersion: 2, mediaType: mediaTypes.imageIndex }, []);
    }
    const json = readIndexJson(bytes, label);
    const manifests = isJsonObject(json) ? json["manifests"] : undefined;
    if (isJsonObject(json) && Array.isArray(manifests)) return new LayoutIndex(json, manifests);
    throw layoutError(label, "has an index.json without a list of manifests");
  }

  toBytes(): Buffer {
    return Buffer.from(JSON.stringify({ ...this.#json, manifests: this.entries }));
  }

  tagged(tag: string): Descriptor | undefined {
    return readDescriptor(this.entries.find((entry) => tagOf(entry) === tag)) ?? this.#saved(tag);
  }

  /** The images with their names: all but the signatures that are listed beside them. */
  images(): readonly ListedImage[] {
    const found = new Map<Digest, readonly string[]>();
    for (const entry of this.entries) {
      const digest = readDescriptor(entry)?.digest;
      const name = tagOf(entry);
      const isAttached = isAttachedTag(name) || attachedKinds.has(savedKindOf(entry) ?? "");
      if (digest === undefined || isAttached) continue;
      const names = found.get(digest) ?? [];
      found.set(digest, typeof name === "string" ? [...names, name] : names);
    }
    return Array.from(found, ([digest, names]) => ({ digest, names }));
  }

  lists(digest: Digest): boolean {
    return this.entries.some((entry) => readDescriptor(entry)?.digest === digest);
  }

  /** Adds a manifest without a tag; undefined if it is already listed. */
  withManifest(manifest: Descriptor): LayoutIndex | undefined {
    if (this.lists(manifest.digest)) return undefined;
    return new LayoutIndex(this.#json, [...this.entries, manifest]);
  }

  /**
   * Sets a tag; undefined if it is set. An image that had it stays without it, as in a registry. The signatures that had it are
   * no longer listed.
   */
  withTag(tag: string, manifest: Descriptor): LayoutIndex | undefined {
    const before = this.entries.find((entry) => tagOf(entry) === tag);
    if (readDescriptor(before)?.digest === manifest.digest) return undefined;
    const isAttached = isAttachedTag(tag);
    const kept = this.entries.flatMap((entry) => {
      if (entry === before) return isAttached ? [] : [withoutTag(entry)];
      const isSame = readDescriptor(entry)?.digest === manifest.digest;
      return isSame && tagOf(entry) === undefined ? [] : [entry];
    });
    const annotations = { ...manifest.annotations, [tagAnnotation]: tag };
    return new LayoutIndex(this.#json, [...kept, { ...manifest, annotations }]);
  }

  /**
   * What `cosign save` writes: an image, with its signatures and attestations beside it instead of under tags. Only if
   * the layout has one image, they are certainly about that one.
   */
  #saved(tag: string): Descriptor | undefined {
    const [, hex, suffix = ""] = /^sha256-([0-9a-f]{64})\.(sig|att)$/.exec(tag) ?? [];
    const kind = { sig: "sigs", att: "atts" }[suffix];
    if (kind === undefined) return undefined;
    const images = this.entries.filter((entry) => savedKinds.has(savedKindOf(entry) ?? ""));
    const isThis = readDescriptor(images[0])?.digest === `sha256:${hex}`;
    if (images.length !== 1 || !isThis) return undefined;
    return readDescriptor(this.entries.find((entry) => savedKindOf(entry) === saved(kind)));
  }
}

function readIndexJson(bytes: Buffer, label: string): JsonValue {
  try {
    return parseJson(bytes, { depthMax: 100 });
  } catch (error) {
    if (!isJsonError(error)) throw error;
    throw layoutError(label, `has an index.json that cannot be read: ${error.message}`, error);
  }
}

const saved = (kind: string): string => `dev.cosignproject.cosign/${kind}`;
const attachedKinds: ReadonlySet<string> = new Set([saved("sigs"), saved("atts")]);
const savedKinds: ReadonlySet<string> = new Set([saved("image"), saved("imageIndex")]);

const annotationOf = (entry: unknown, name: string): unknown => {
  const annotations = isObject(entry) ? entry["annotations"] : undefined;
  return isObject(annotations) ? annotations[name] : undefined;
};

const tagOf = (entry: unknown): unknown => annotationOf(entry, tagAnnotation);

function savedKindOf(entry: unknown): string | undefined {
  const kind = annotationOf(entry, "kind");
  return typeof kind === "string" ? kind : undefined;
}

function withoutTag(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry["annotations"])) return entry;
  const kept = Object.entries(entry["annotations"]).filter(([name]) => name !== tagAnnotation);
  return { ...entry, annotations: Object.fromEntries(kept) };
}

/** An image that `index.json` lists, perhaps under several names. */
interface ListedImage {
  readonly digest: Digest;
  readonly names: readonly string[];
}

/** Checks for the tag of what is attached to an image, perhaps with the prefix of a policy. */
export function isAttachedTag(tag: unknown): boolean {
  return typeof tag === "string" && /sha(?:256|512)-[0-9a-f]{64}/.test(tag);
}

// More than a message lists, and than anyone keeps without names.
const maxExamined = 100;
const maxListed = 8;

/** The images without the manifests that only refer to one. A manifest with a name is always an image. */
export async function onlyImages(
  images: readonly ListedImage[],
  read: (digest: Digest) => Promise<Manifest | undefined>,
): Promise<readonly ListedImage[]> {
  const found: ListedImage[] = [];
  for (const [at, image] of images.entries()) {
    const isExamined = image.names.length === 0 && at < maxExamined;
    const manifest = isExamined ? await read(image.digest).catch(ifBroken) : undefined;
    if (manifest?.json["subject"] === undefined) found.push(image);
  }
  return found;
}

/** A broken manifest stays in the list, so that messages show it. */
function ifBroken(error: unknown): undefined {
  if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
}

/** The error for a name that is not in a layout. Lists the names that are. */
export function missingName(
  repository: Repository,
  name: string,
  images: readonly ListedImage[],
): RegistryError {
  const listed = images
    .slice(0, maxListed)
    .map(({ digest, names }) => [names.map((each) => each.slice(0, 100)).join(" or "), digest])
    .map(([names, digest]) => (names === "" ? `@${digest}` : `${names} (@${digest})`));
  const rest = images.length - listed.length;
  const label = formatRepository(repository);
  const problem =
    name === ""
      ? `the layout ${label} has ${images.length} images, and the reference has no name`
      : `the image ${label}:${name} is not in the layout`;
  return new RegistryError(
    "IMAGE_MISSING",
    `${problem}; use one of ${listed.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`,
  );
}

interface Referring {
  readonly subject: Digest;
  readonly descriptor: Descriptor;
}

/** More manifests than any layout has. Each of them is read once. */
const maxManifests = 50_000;

/** Finds the referrers in a layout: manifests that `index.json` lists, or the list for registries without referrers. */
export class LayoutReferrers {
  /** Content never changes under its digest. */
  readonly #known = new Map<Digest, Referring | undefined>();

  /** @param read reads a manifest; undefined if it is missing or broken */
  async list(
    index: LayoutIndex,
    subject: Digest,
    read: (digest: Digest) => Promise<Manifest | undefined>,
  ): Promise<{ readonly referrers: readonly Descriptor[]; readonly hasMore?: boolean }> {
    const listed = readDescriptors(index.entries);
    const fallback = index.tagged(tagOfDigest(subject));
    const list = fallback && (await read(fallback.digest));
    const more = readDescriptors(list?.json["manifests"]);
    const candidates = [...listed, ...more].slice(0, maxManifests);
    const found = new Map<Digest, Descriptor>();
    for (const { digest } of candidates) {
      if (!this.#known.has(digest)) {
        const manifest = await read(digest);
        if (manifest === undefined) continue;
        this.#known.set(digest, referringOf(manifest));
      }
      const referring = this.#known.get(digest);
      if (referring?.subject === subject) found.set(digest, referring.descriptor);
    }
    const referrers = [...found.values()];
    return candidates.length === maxManifests ? { referrers, hasMore: true } : { referrers };
  }
}

function referringOf(manifest: Manifest): Referring | undefined {
  const { json } = manifest;
  const subject = readDescriptor(json["subject"])?.digest;
  return subject && { subject, descriptor: describeReferrer(json, descriptorOf(manifest)) };
}
