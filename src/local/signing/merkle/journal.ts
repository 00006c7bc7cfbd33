import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent } from "../../../core/process/system-error";

/**
 * A file with one line for each entry of a log.
 *
 * Opening it drops an incomplete last line, which a crash can leave: that entry was never confirmed.
 */
export class Journal {
  #last: Promise<void> = Promise.resolve();
  readonly #file: string;

  private constructor(
    file: string,
    /** The lines that the file had when it was opened. */
    readonly lines: readonly string[],
  ) {
    this.#file = file;
  }

  static async open(file: string): Promise<Journal> {
    await mkdir(dirname(file), { recursive: true });
    const bytes = (await readFile(file).catch(ifAbsent)) ?? Buffer.alloc(0);
    const end = bytes.lastIndexOf("\n") + 1;
    if (end < bytes.byteLength) await truncate(file, end);
    const lines = bytes.subarray(0, end).toString("utf8").split("\n");
    return new Journal(
      file,
      lines.filter((line) => line !== ""),
    );
  }

  /** Appends a line after all pending ones; resolves when it is written. */
  append(line: string): Promise<void> {
    const written = this.#last.then(() => appendFile(this.#file, `${line}\n`));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
