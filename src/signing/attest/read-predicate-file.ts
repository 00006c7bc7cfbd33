import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { failureCode } from "../../http/failure";
import { sha256Hex } from "../oci/reference/digest";
import { SigningError } from "../attach/signing-error";
import { maxPredicateBytes } from "./prepare-statement";

/**
 * Reads a predicate from a regular file of at most 32 MiB, in UTF-8, and checks its hash.
 *
 * The file is opened once: what is hashed is what is attested.
 *
 * @param sha256 64 hexadecimal digits
 * @throws SigningError `PREDICATE_FILE`
 */
export async function readPredicateFile(path: string, sha256: string): Promise<string> {
  const label = `the predicate file ${JSON.stringify(path)}`;
  const bytes = await contentOf(path, label);
  const found = sha256Hex(bytes);
  if (found !== sha256.toLowerCase()) {
    throw failure(`${label} has changed: its sha256 is ${found}, expected ${sha256}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw failure(`${label} is not valid UTF-8`, error);
  }
}

async function contentOf(path: string, label: string): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe would block until another process writes to it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = await file.stat();
    if (!status.isFile()) throw failure(`${label} is not a regular file`);
    if (status.size > maxPredicateBytes) throw tooLarge(label, status.size);
    return await readUpTo(file, label);
  } catch (error) {
    if (error instanceof SigningError) throw error;
    throw failure(`${label} cannot be read (${failureCode(error) ?? "unknown error"})`, error);
  } finally {
    await file?.close();
  }
}

// Counts again: the file may grow while it is read.
async function readUpTo(file: FileHandle, label: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.byteLength;
    if (size > maxPredicateBytes) throw tooLarge(label, size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(label: string, size: number): SigningError {
  return failure(`${label} has ${size} bytes, more than the ${maxPredicateBytes} allowed`);
}

function failure(message: string, cause?: unknown): SigningError {
  return new SigningError("PREDICATE_FILE", message, cause);
}
