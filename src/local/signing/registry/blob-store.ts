import { access, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../../../core/process/atomic-file";
import { ifAbsent } from "../../../core/process/system-error";
import { algorithmOf, hexOf, type Digest } from "../../../core/signing/oci/reference/descriptor";

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
