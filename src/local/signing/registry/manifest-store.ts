import { access, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseTrustedJson, type Properties, propertiesOf } from "../../../core/json/plain-json";
import { writeFileAtomically } from "../../../core/process/files";
import { ifAbsent } from "../../../core/process/system-error";
import {
  algorithmOf,
  type Digest,
  hexOf,
  isDigest,
} from "../../../core/signing/oci/reference/descriptor";
import { readField, readTextField } from "../../service/request";
import { type Manifest, parseManifest } from "./manifest";
import { checkDigest, type ManifestReference } from "./registry-failure";

/**
 * Blobs on disk: the content is stored once, with an empty file in each repository that contains it.
 *
 * Only the empty files can be deleted.
 */
export class BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Path of the content, which may not exist. */
  file(digest: Digest): string {
    return join(this.#folder, "blobs", algorithmOf(digest), hexOf(digest));
  }

  /** The size; undefined if the repository does not contain the blob. */
  async size(repository: string, digest: Digest): Promise<number | undefined> {
    const isLinked = access(this.#link(repository, digest));
    const found = await isLinked.then(() => stat(this.file(digest))).catch(ifAbsent);
    return found?.size;
  }

  /** Moves a finished file, whose digest the caller has verified, into the repository. */
  async adopt(repository: string, digest: Digest, file: string): Promise<void> {
    const content = this.file(digest);
    await mkdir(dirname(content), { recursive: true });
    await rename(file, content);
    await this.mount(repository, digest);
  }

  async write(digest: Digest, content: Uint8Array): Promise<void> {
    await writeFileAtomically(this.file(digest), content);
  }

  async mount(repository: string, digest: Digest): Promise<void> {
    await writeFileAtomically(this.#link(repository, digest), "");
  }

  async remove(repository: string, digest: Digest): Promise<void> {
    await rm(this.#link(repository, digest), { force: true });
  }

  #link(repository: string, digest: Digest): string {
    return join(this.#folder, "repositories", repository, "_blobs", hexOf(digest));
  }
}

export type ListedManifest = Properties & { readonly digest: Digest; readonly size: number };

interface Entry {
  readonly mediaType: string;
  readonly subject?: Digest | undefined;
}

/**
 * Manifests on disk: the content is stored as a blob. The repository has a file for each digest, each tag,
 * and each pair of subject and referrer.
 */
export class ManifestStore {
  readonly #folder: string;
  readonly #blobs: BlobStore;

  constructor(folder: string, blobs: BlobStore) {
    this.#folder = folder;
    this.#blobs = blobs;
  }

  /** Stores a manifest: first the content, then what refers to it, and the tags last. */
  async put(
    repository: string,
    digest: Digest,
    bytes: Buffer,
    manifest: Manifest,
    tags: readonly string[],
  ): Promise<void> {
    const { mediaType, subject } = manifest;
    await this.#blobs.write(digest, bytes);
    const entry: Entry = { mediaType, subject };
    await writeFileAtomically(
      this.#path(repository, "_manifests", hexOf(digest)),
      JSON.stringify(entry),
    );
    if (subject !== undefined) {
      const descriptor = descriptorOf(digest, bytes, manifest);
      const file = this.#path(repository, "_referrers", hexOf(subject), hexOf(digest));
      await writeFileAtomically(file, JSON.stringify(descriptor));
    }
    for (const tag of tags) await writeFileAtomically(this.#path(repository, "_tags", tag), digest);
  }

  /** The digest of a reference; undefined for a tag that does not exist. */
  async resolve(repository: string, reference: ManifestReference): Promise<Digest | undefined> {
    if ("digest" in reference) return reference.digest;
    const text = await readText(this.#path(repository, "_tags", reference.tag));
    return text === undefined ? undefined : checkDigest(text);
  }

  async find(repository: string, digest: Digest): Promise<Entry | undefined> {
    const text = await readText(this.#path(repository, "_manifests", hexOf(digest)));
    return text === undefined ? undefined : toEntry(parseTrustedJson(text));
  }

  async read(digest: Digest): Promise<Buffer> {
    return readFile(this.#blobs.file(digest));
  }

  async removeTag(repository: string, tag: string): Promise<void> {
    await rm(this.#path(repository, "_tags", tag), { force: true });
  }

  /**
   * Removes a manifest, its tags, and its entry among the referrers of its subject.
   *
   * @param keepsListed keeps that entry
   */
  async remove(repository: string, digest: Digest, keepsListed: boolean): Promise<void> {
    const entry = await this.find(repository, digest);
    for (const tag of await this.tags(repository)) {
      if ((await this.resolve(repository, { tag })) === digest) {
        await this.removeTag(repository, tag);
      }
    }
    if (entry?.subject !== undefined && !keepsListed) {
      const file = this.#path(repository, "_referrers", hexOf(entry.subject), hexOf(digest));
      await rm(file, { force: true });
    }
    await rm(this.#path(repository, "_manifests", hexOf(digest)), { force: true });
  }

  async tags(repository: string): Promise<readonly string[]> {
    return names(this.#path(repository, "_tags"));
  }

  /** The referrers of a subject, which may not exist. */
  async referrers(repository: string, subject: Digest): Promise<readonly ListedManifest[]> {
    const folder = this.#path(repository, "_referrers", hexOf(subject));
    const texts = await Promise.all(
      (await names(folder)).map((name) => readText(join(folder, name))),
    );
    return texts.flatMap((text) => (text === undefined ? [] : [toListed(parseTrustedJson(text))]));
  }

  async all(repository: string): Promise<readonly ListedManifest[]> {
    const found: ListedManifest[] = [];
    for (const hex of await names(this.#path(repository, "_manifests"))) {
      const digest = checkDigest(`sha${hex.length * 4}:${hex}`);
      const entry = await this.find(repository, digest);
      const bytes = await this.read(digest);
      found.push(descriptorOf(digest, bytes, parseManifest(bytes, entry?.mediaType ?? "")));
    }
    return found;
  }

  #path(repository: string, ...parts: readonly string[]): string {
    return join(this.#folder, "repositories", repository, ...parts);
  }
}

function descriptorOf(digest: Digest, bytes: Buffer, manifest: Manifest): ListedManifest {
  const { mediaType, artifactType, annotations } = manifest;
  return { mediaType, digest, size: bytes.byteLength, artifactType, annotations };
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ifAbsent);
}

/** Skips incomplete files, which a crash can leave. */
async function names(folder: string): Promise<readonly string[]> {
  const found = (await readdir(folder).catch(ifAbsent)) ?? [];
  return found.filter((name) => !name.endsWith(".tmp")).sort();
}

function toListed(value: unknown): ListedManifest {
  const [digest, size] = [readTextField(value, "digest"), readField(value, "size")];
  if (!isDigest(digest) || typeof size !== "number") throw foreign();
  return { ...propertiesOf(value), digest, size };
}

function toEntry(value: unknown): Entry {
  const mediaType = readTextField(value, "mediaType");
  const subject = readTextField(value, "subject");
  if (mediaType !== "") return { mediaType, subject: isDigest(subject) ? subject : undefined };
  throw foreign();
}

const foreign = (): Error =>
  new Error("a manifest's file in the registry's folder was not written by this registry");
