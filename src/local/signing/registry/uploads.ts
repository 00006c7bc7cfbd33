import { createHash, randomUUID, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Digest, DigestAlgorithm } from "../../../core/signing/oci/reference/descriptor";
import { checkDigest, registryFailure } from "./registry-failure";

interface UploadRoom {
  /** Of one blob. */
  readonly maxBytes: number;
  /** Checks for room for more bytes in all open uploads together. */
  readonly hasRoom: (bytes: number) => boolean;
}

/** An upload in progress: a file, and the sha256 of its content. */
export class Upload {
  // Undefined if it differs from the file, after a broken connection.
  #hash: Hash | undefined = createHash("sha256");
  #busy = false;
  #size = 0;

  private constructor(
    /** The last part of its URL. */
    readonly id: string,
    readonly repository: string,
    readonly file: string,
  ) {}

  static async start(folder: string, repository: string): Promise<Upload> {
    const id = randomUUID();
    const file = join(folder, id);
    await writeFile(file, "", { flag: "wx" });
    return new Upload(id, repository, file);
  }

  get size(): number {
    return this.#size;
  }

  /** True while a request appends to it. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /**
   * Appends a stream, with constant memory.
   *
   * @throws HttpFailure if another request is appending, or if there is no room for it
   */
  async append(source: AsyncIterable<Buffer>, room: UploadRoom): Promise<void> {
    if (this.#busy) {
      throw registryFailure("BLOB_UPLOAD_INVALID", "another request is appending to this upload");
    }
    this.#busy = true;
    try {
      await pipeline(this.#measured(source, room), createWriteStream(this.file, { flags: "a" }));
    } catch (failure) {
      this.#hash = undefined;
      this.#size = (await stat(this.file)).size;
      throw failure;
    } finally {
      this.#busy = false;
    }
  }

  /** The digest of the content. Nothing can be appended afterwards. */
  async digest(algorithm: DigestAlgorithm): Promise<Digest> {
    let hash = algorithm === "sha256" ? this.#hash : undefined;
    if (hash === undefined) {
      hash = createHash(algorithm);
      await pipeline(createReadStream(this.file), hash);
    }
    return checkDigest(`${algorithm}:${hash.digest("hex")}`);
  }

  async discard(): Promise<void> {
    await rm(this.file, { force: true });
  }

  async *#measured(source: AsyncIterable<Buffer>, { maxBytes, hasRoom }: UploadRoom) {
    for await (const chunk of source) {
      if (this.#size + chunk.byteLength > maxBytes) {
        throw registryFailure("SIZE_INVALID", `a blob may have at most ${maxBytes} bytes`);
      }
      if (!hasRoom(chunk.byteLength)) {
        const message = "the incomplete uploads have too many bytes; complete or cancel some";
        throw registryFailure("TOOMANYREQUESTS", message);
      }
      this.#hash?.update(chunk);
      this.#size += chunk.byteLength;
      yield chunk;
    }
  }
}

export interface UploadLimits {
  /** @default 100 */
  readonly maxOpen?: number | undefined;
  /** Of all open uploads together. @default 32 GiB */
  readonly maxOpenBytes?: number | undefined;
  /** How long an idle upload is kept. @default one hour */
  readonly maxIdleMs?: number | undefined;
}

interface UploadSettings extends UploadLimits {
  readonly folder: string;
  readonly maxBlobBytes: number;
  readonly now: () => number;
}

/** The uploads that are not complete, by the ID in their URL. They are lost at a restart. */
export class OpenUploads {
  readonly #open = new Map<string, { readonly upload: Upload; usedAt: number }>();
  readonly #settings: UploadSettings;

  constructor(settings: UploadSettings) {
    this.#settings = settings;
  }

  /** @throws HttpFailure if too many are open */
  async start(repository: string): Promise<Upload> {
    const { folder, now, maxOpen = 100 } = this.#settings;
    await this.#discardIdle();
    if (this.#open.size >= maxOpen) {
      const message = `${maxOpen} uploads are not complete; complete or cancel some`;
      throw registryFailure("TOOMANYREQUESTS", message);
    }
    await mkdir(folder, { recursive: true });
    const upload = await Upload.start(folder, repository);
    this.#open.set(upload.id, { upload, usedAt: now() });
    return upload;
  }

  find(id: string): Upload | undefined {
    return this.#open.get(id)?.upload;
  }

  /** @throws HttpFailure if there is no room */
  async append(upload: Upload, source: AsyncIterable<Buffer>): Promise<void> {
    const { maxBlobBytes: maxBytes, maxOpenBytes = 32 * 2 ** 30, now } = this.#settings;
    const hasRoom = (bytes: number) => this.#bytes() + bytes <= maxOpenBytes;
    try {
      await upload.append(source, { maxBytes, hasRoom });
    } finally {
      const open = this.#open.get(upload.id);
      if (open !== undefined) open.usedAt = now();
    }
  }

  /** Ends an upload, and keeps its file. */
  end({ id }: Upload): void {
    this.#open.delete(id);
  }

  async cancel(upload: Upload): Promise<void> {
    this.end(upload);
    await upload.discard();
  }

  #bytes(): number {
    let bytes = 0;
    for (const { upload } of this.#open.values()) bytes += upload.size;
    return bytes;
  }

  async #discardIdle(): Promise<void> {
    const { now, maxIdleMs = 3_600_000 } = this.#settings;
    const before = now() - maxIdleMs;
    for (const { upload, usedAt } of this.#open.values()) {
      if (!upload.isBusy && usedAt < before) await this.cancel(upload);
    }
  }
}
