import { readFile } from "node:fs/promises";
import { sep } from "node:path";

/** The texts of the files that are open in the editor, by their paths. */
export class OpenDocuments {
  readonly #texts = new Map<string, string>();

  set(path: string, text: string): void {
    this.#texts.set(path, text);
  }

  delete(path: string): void {
    this.#texts.delete(path);
  }

  /** Returns the text of a file, as the editor or else the disk has it; undefined if it cannot be read. */
  async textOf(path: string): Promise<string | undefined> {
    return this.#texts.get(path) ?? (await readFile(path, "utf8").catch(() => undefined));
  }

  /** Returns the texts below a folder that are not saved. */
  async unsavedIn(folder: string): Promise<Readonly<Record<string, string>>> {
    const inside = [...this.#texts].filter(([path]) => path.startsWith(folder + sep));
    const unsaved = await Promise.all(
      inside.map(async ([path, text]) => {
        const saved = await readFile(path, "utf8").catch(() => undefined);
        return saved === text ? [] : [[path, text] as const];
      }),
    );
    return Object.fromEntries(unsaved.flat());
  }
}
