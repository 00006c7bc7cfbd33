import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { RegistryFailure } from "./registry-failure";
import { checkDigest, type Digest, type DigestAlgorithm } from "./registry-name";

/** How much an upload can take. */
interface UploadRoom {
  /** Of one blob. */
  readonly maxBytes: number;
  /** Whether there is room for more bytes in all open uploads together. */
  readonly hasRoom: (bytes: number) => boolean;
}

/** An upload in progress: a file, and the sha256 of its content. */
export class Upload {
  // Undefined if file and hash differ after a broken connection.
  #hash: Hash | undefined = createHash("sha256");
  #busy = false;
  #size = 0;

  private constructor(
    readonly repository: string,
    readonly file: string,
  ) {}

  static async start(repository: string, file: string): Promise<Upload> {
    await writeFile(file, "", { flag: "wx" });
    return new Upload(repository, file);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether a request is adding to it. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /**
   * Appends a stream, with constant memory.
   *
   * @throws RegistryFailure if another request is appending, or if there is no room for it
   */
  async append(source: AsyncIterable<Buffer>, room: UploadRoom): Promise<void> {
    if (this.#busy) {
      throw new RegistryFailure("BLOB_UPLOAD_INVALID", "another request is adding to this upload");
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
        throw new RegistryFailure("SIZE_INVALID", `a blob may have at most ${maxBytes} bytes`);
      }
      if (!hasRoom(chunk.byteLength)) {
        const message = "the unfinished uploads have too many bytes; complete or cancel some";
        throw new RegistryFailure("TOOMANYREQUESTS", message);
      }
      this.#hash?.update(chunk);
      this.#size += chunk.byteLength;
      yield chunk;
    }
  }
}
