import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parsedJson, type Properties, propertiesOf } from "../../../core/json/plain-json";
import { ifAbsent } from "../../../core/process/system-error";
import { type Digest, digestOf, isDigest } from "../../../core/signing/oci/reference/descriptor";
import { BlobStore, ManifestStore } from "./manifest-store";
import { parseManifest } from "./manifest";
import { readList } from "../../service/request";
import { localServiceError } from "../../service/service";
import { isRepository } from "./registry-failure";

export interface StoredImage {
  readonly repository: string;
  readonly digest: Digest;
  /** Sorted; empty if it has only a digest. */
  readonly tags: readonly string[];
  readonly isIndex: boolean;
}

interface Stored extends StoredImage {
  readonly json: Properties;
}

// Far more than experiments need. Each is read.
const maxManifests = 1_000;

/**
 * Lists the images in the folder of a registry, without attached content and without untagged images of an index. Of
 * large registries, it lists only some images.
 */
export async function storedImages(folder: string): Promise<readonly StoredImage[]> {
  const manifests = new ManifestStore(folder, new BlobStore(folder));
  const found: StoredImage[] = [];
  let left = maxManifests;
  for (const repository of (await repositoriesIn(join(folder, "repositories"))).sort()) {
    const digests = await digestsIn(join(folder, "repositories", repository, "_manifests"));
    const tags = await tagsOf(manifests, repository);
    const stored = await Promise.all(
      digests.slice(0, left).map(async (digest): Promise<Stored> => {
        const json = propertiesOf(parsedJson((await manifests.read(digest)).toString("utf8")));
        const isIndex = Array.isArray(json["manifests"]);
        return { repository, digest, tags: tags.get(digest) ?? [], isIndex, json };
      }),
    );
    left -= stored.length;
    found.push(...withoutParts(stored));
  }
  return found;
}

function withoutParts(stored: readonly Stored[]): readonly StoredImage[] {
  const referrers = new Set(
    stored.filter(({ json }) => isObject(json["subject"])).map(({ digest }) => digest),
  );
  const parts = new Set(stored.flatMap(({ json }) => listed(json, "manifests", "digest")));
  const isPart = ({ digest, tags, json }: Stored): boolean => {
    if (referrers.has(digest)) return true;
    if (tags.length > 0) return tags.every((tag) => attachmentTag.test(tag));
    const children = listed(json, "manifests", "digest");
    const isReferrerList =
      children.length > 0 && children.every((each) => isDigest(each) && referrers.has(each));
    return (
      parts.has(digest) || isReferrerList || listed(json, "layers", "mediaType").some(isSigned)
    );
  };
  return stored
    .filter((each) => !isPart(each))
    .map(({ repository, digest, tags, isIndex }) => ({ repository, digest, tags, isIndex }))
    .sort(byTag);
}

/** Images without a tag come last. */
function byTag({ tags: [one = ""] }: StoredImage, { tags: [other = ""] }: StoredImage): number {
  return Number(one === "") - Number(other === "") || one.localeCompare(other);
}

/** The tags of attached content, and the fallback tag under which referrers are listed. */
const attachmentTag = /^sha(?:256-[\da-f]{64}|512-[\da-f]{64,})(?:\.\w+)?$/;

/** Checks the media type of a layer: attached content has these, even if its tag was replaced since. */
const isSigned = (mediaType: string): boolean =>
  /^application\/vnd\.(?:dev\.cosign|dsse)\./.test(mediaType);

function listed(json: Properties, list: string, member: string): readonly string[] {
  const values = readList(json, list).map((entry) => propertiesOf(entry)[member]);
  return values.filter((value) => typeof value === "string");
}

async function tagsOf(manifests: ManifestStore, repository: string) {
  const found = new Map<Digest, string[]>();
  for (const tag of await manifests.tags(repository)) {
    const digest = await manifests.resolve(repository, { tag });
    if (digest !== undefined) found.set(digest, [...(found.get(digest) ?? []), tag]);
  }
  return found;
}

/** Repositories can be nested. Their own folders begin with an underscore. */
async function repositoriesIn(folder: string, name = ""): Promise<string[]> {
  const entries = (await readdir(join(folder, name)).catch(ifAbsent)) ?? [];
  const below = await Promise.all(
    entries
      .filter((entry) => /^[a-z\d]/.test(entry))
      .map((entry) => repositoriesIn(folder, name === "" ? entry : `${name}/${entry}`)),
  );
  return [...(entries.includes("_manifests") ? [name] : []), ...below.flat()];
}

async function digestsIn(folder: string): Promise<readonly Digest[]> {
  const names = (await readdir(folder).catch(ifAbsent)) ?? [];
  return names
    .map((name) => `${name.length === 64 ? "sha256" : "sha512"}:${name}`)
    .filter(isDigest)
    .sort();
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const tag = "sample";

/**
 * Stores a small image with the tag `sample` in the folder of a registry, for experiments. It is always the same: an
 * image for linux/amd64 without files.
 *
 * @param repository such as `build/app`
 * @returns the digest of the image
 * @throws LocalServiceError if the repository is not a valid name
 */
export async function storeSampleImage(folder: string, repository: string): Promise<Digest> {
  if (!isRepository(repository)) {
    throw localServiceError(
      "IMAGE",
      `The sample image cannot be in the repository ${JSON.stringify(repository)}.`,
      { advice: "Pass a path in lowercase to --sample-image, such as build/app." },
    );
  }
  const blobs = new BlobStore(folder);
  // An empty tar archive.
  const layer = Buffer.alloc(1024);
  const config = json({
    architecture: "amd64",
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: [digestOf(layer)] },
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor("application/vnd.oci.image.config.v1+json", config),
    layers: [descriptor("application/vnd.oci.image.layer.v1.tar", layer)],
  });
  for (const blob of [config, layer]) {
    await blobs.write(digestOf(blob), blob);
    await blobs.mount(repository, digestOf(blob));
  }
  const digest = digestOf(manifest);
  const parsed = parseManifest(manifest, manifestType);
  await new ManifestStore(folder, blobs).put(repository, digest, manifest, parsed, [tag]);
  return digest;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const descriptor = (mediaType: string, bytes: Buffer) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});
