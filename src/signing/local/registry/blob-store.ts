import { access, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../process/atomic-file";
import { hasCode } from "../../../process/system-error";
import { hexOf, type Digest } from "./registry-name";

/**
 * Blobs on disk: the content once, and an empty file in each repository that has it.
 *
 * Only the empty files are ever deleted.
 */
export class BlobStore {
  constructor(private readonly folder: string) {}

  /** Where the content is, whether or not it exists. */
  file(digest: Digest): string {
    return join(this.folder, "blobs", "sha256", hexOf(digest));
  }

  /** The size, or undefined when the repository does not have the blob. */
  async size(repository: string, digest: Digest): Promise<number | undefined> {
    try {
      await access(this.link(repository, digest));
      return (await stat(this.file(digest))).size;
    } catch (failure) {
      if (hasCode(failure, "ENOENT")) return undefined;
      throw failure;
    }
  }

  /** Takes a finished file, whose digest the caller has checked, into the repository. */
  async adopt(repository: string, digest: Digest, file: string): Promise<void> {
    await mkdir(join(this.folder, "blobs", "sha256"), { recursive: true });
    await rename(file, this.file(digest));
    await this.mount(repository, digest);
  }

  /** Stores content that is small. */
  async write(digest: Digest, content: Uint8Array): Promise<void> {
    await writeFileAtomically(this.file(digest), content);
  }

  /** Gives a repository a blob whose content is here. */
  async mount(repository: string, digest: Digest): Promise<void> {
    await writeFileAtomically(this.link(repository, digest), "");
  }

  async remove(repository: string, digest: Digest): Promise<void> {
    await rm(this.link(repository, digest), { force: true });
  }

  private link(repository: string, digest: Digest): string {
    return join(this.folder, "repositories", repository, "_blobs", hexOf(digest));
  }
}
