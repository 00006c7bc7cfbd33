import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { RegistryFailure } from "./registry-failure";
import { Upload } from "./upload";

/** How much of uploads that are not complete a registry keeps. */
export interface UploadLimits {
  /** @default 100 */
  readonly maxOpen?: number | undefined;
  /** Of all open uploads together. @default 32 GiB */
  readonly maxOpenBytes?: number | undefined;
  /** How long an upload is kept to which nothing is added. @default one hour */
  readonly maxIdleMs?: number | undefined;
}

/** The uploads that are not complete, by the ID in their URL. They are lost at a restart. */
export class OpenUploads {
  readonly #open = new Map<string, { readonly upload: Upload; usedAt: number }>();
  readonly #folder: string;
  readonly #maxBlobBytes: number;
  readonly #now: () => number;
  readonly #maxOpen: number;
  readonly #maxOpenBytes: number;
  readonly #maxIdleMs: number;

  constructor(
    folder: string,
    maxBlobBytes: number,
    { maxOpen = 100, maxOpenBytes = 32 * 2 ** 30, maxIdleMs = 3_600_000 }: UploadLimits,
    now: () => number,
  ) {
    this.#folder = folder;
    this.#maxBlobBytes = maxBlobBytes;
    this.#now = now;
    this.#maxOpen = maxOpen;
    this.#maxOpenBytes = maxOpenBytes;
    this.#maxIdleMs = maxIdleMs;
  }

  /** @throws RegistryFailure if too many are open */
  async start(repository: string): Promise<readonly [id: string, upload: Upload]> {
    await this.#discardIdle();
    if (this.#open.size >= this.#maxOpen) {
      const message = `more than ${this.#maxOpen} uploads are not complete; complete or cancel some`;
      throw new RegistryFailure("TOOMANYREQUESTS", message);
    }
    await mkdir(this.#folder, { recursive: true });
    const id = randomUUID();
    const upload = await Upload.start(repository, join(this.#folder, id));
    this.#open.set(id, { upload, usedAt: this.#now() });
    return [id, upload];
  }

  find(id: string): Upload | undefined {
    return this.#open.get(id)?.upload;
  }

  /** @throws RegistryFailure if there is no room */
  async append(id: string, upload: Upload, source: AsyncIterable<Buffer>): Promise<void> {
    try {
      await upload.append(source, {
        maxBytes: this.#maxBlobBytes,
        hasRoom: (bytes) => this.#bytes() + bytes <= this.#maxOpenBytes,
      });
    } finally {
      const open = this.#open.get(id);
      if (open !== undefined) open.usedAt = this.#now();
    }
  }

  /** Ends an upload, whose file stays. */
  end(id: string): void {
    this.#open.delete(id);
  }

  #bytes(): number {
    let bytes = 0;
    for (const { upload } of this.#open.values()) bytes += upload.size;
    return bytes;
  }

  async #discardIdle(): Promise<void> {
    const before = this.#now() - this.#maxIdleMs;
    for (const [id, { upload, usedAt }] of this.#open) {
      if (upload.isBusy || usedAt >= before) continue;
      this.#open.delete(id);
      await upload.discard();
    }
  }
}
