import type { FileHandle } from "node:fs/promises";
import type { CallContext, Clock } from "../../../http/call-context";
import { systemErrorCode } from "../../../process/system-error";
import { RegistryError } from "../registry/registry-error";

/**
 * The files of an image layout, in a folder or in an archive. Names are those of the specification, such as
 * `blobs/sha256/…`. Throws only `RegistryError`.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/image-layout.md
 */
export interface LayoutFiles {
  /** Reads a small file; undefined if it does not exist. */
  read(name: string, maxBytes: number): Promise<Buffer | undefined>;
  /** The size of a file; undefined if it does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  stream(name: string): AsyncIterable<Uint8Array>;
  /** Writes a file that appears only with all of its content. */
  write(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array>,
    check: EndedCheck,
  ): Promise<void>;
  /**
   * Replaces `index.json` by what `change` makes of it, unless it returns undefined. Nobody else changes it meanwhile.
   *
   * @returns false if nothing was changed
   */
  updateIndex(change: ChangeIndex, check: EndedCheck): Promise<boolean>;
}

/** Makes a new `index.json`; undefined if nothing is to be changed. */
export type ChangeIndex = (bytes: Buffer | undefined) => Buffer | undefined;

/** Throws once the call is cancelled or its deadline has passed. Called repeatedly in work that others can prolong. */
export type EndedCheck = () => void;

export const indexName = "index.json";
/** Enough for tens of thousands of images. */
export const maxIndexBytes = 16 * 1024 * 1024;

export const versionName = "oci-layout";

/** The content of `oci-layout`. */
export const versionText = '{"imageLayoutVersion":"1.0.0"}';

/** The size of a write: large enough for few calls, and small enough for several blobs in parallel. */
const writtenBytes = 256 * 1024;

/** The size of a read. V8 keeps larger buffers longer than they are used. */
const readBytes = 128 * 1024;

/** Writes a stream, many chunks at once, and returns how many bytes there were. */
export async function writeStream(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  start = 0,
): Promise<number> {
  let chunks: Uint8Array[] = [];
  let [held, at] = [0, start];
  const flush = async () => {
    const { bytesWritten } = await file.writev(chunks, at);
    // A disk that is full may take only some of it.
    if (bytesWritten < held) {
      await writeAll(file, Buffer.concat(chunks).subarray(bytesWritten), at + bytesWritten);
    }
    at += held;
    [chunks, held] = [[], 0];
  };
  for await (const chunk of content) {
    chunks.push(chunk);
    held += chunk.byteLength;
    if (held >= writtenBytes) await flush();
  }
  if (held > 0) await flush();
  return at - start;
}

/** Finds only mistakes of this program: the digest of the content was compared before. */
export function checkWritten(name: string, size: number, written: number): void {
  if (written !== size) throw new RangeError(`${name} has ${written} bytes instead of ${size}`);
}

export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, at + done);
    done += bytesWritten;
  }
}

/** Reads a part of a file as a stream; it ends early if the file does. */
export async function* readStream(
  file: FileHandle,
  start: number,
  size: number,
): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < size;) {
    const piece = Buffer.allocUnsafeSlow(Math.min(readBytes, size - done));
    const { bytesRead } = await file.read(piece, 0, piece.byteLength, start + done);
    if (bytesRead === 0) return;
    done += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Reads a small part of a file at once. */
export async function readPart(file: FileHandle, start: number, size: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readStream(file, start, size)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export const endedCheck =
  ({ signal, deadline }: CallContext, clock: Clock): EndedCheck =>
  () => {
    if (signal.aborted) {
      const message = "the work on a layout was interrupted";
      throw new RegistryError("CANCELLED", message);
    }
    if (clock.now() > deadline) {
      const message = "the deadline passed before the work on a layout was finished";
      throw new RegistryError("DEADLINE", message);
    }
  };

/** Passes on content until the call has ended. */
export async function* untilEnded(
  content: AsyncIterable<Uint8Array>,
  check: EndedCheck,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    check();
    yield chunk;
  }
}

export function layoutError(layout: string, problem: string, cause?: unknown): RegistryError {
  return new RegistryError("LAYOUT", `the layout ${layout} ${problem}`, { cause });
}

export function tooLarge(layout: string, name: string, maxBytes: number): RegistryError {
  const message = `${name} of the layout ${layout} has more than ${maxBytes} bytes, the maximum`;
  return new RegistryError("TOO_LARGE", message);
}

/** Runs an operation on files; an error of the system becomes a `RegistryError`. */
export async function onFiles<T>(
  layout: string,
  what: "read" | "written",
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw explained(layout, what, error);
  }
}

/** {@link onFiles} for the content of a file. */
export async function* onStream(
  layout: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw explained(layout, "read", error);
  }
}

function explained(layout: string, what: "read" | "written", error: unknown): unknown {
  const code = error instanceof RegistryError ? undefined : systemErrorCode(error);
  // Node.js has its own codes for what it refuses before it calls the system, such as ERR_FS_EISDIR.
  if (code === undefined || !/^E[A-Z0-9_]+$/.test(code)) return error;
  return layoutError(layout, `cannot be ${what}: ${code.replace("ERR_FS_", "")}`, error);
}
