import { createRequire } from "node:module";
import { join } from "node:path";
import { isObject } from "../../json/plain-json";
import type { OpenDocuments } from "./open-documents";
import { type Compiler, SourceOutline } from "./source-outline";

/** Reads sources of a project with its own TypeScript. */
export class Outlines {
  readonly #documents: OpenDocuments;
  readonly #compilers = new Map<string, Compiler | undefined>();
  readonly #known = new Map<string, { readonly text: string; readonly outline: SourceOutline }>();

  constructor(documents: OpenDocuments) {
    this.#documents = documents;
  }

  /**
   * Returns the outline of a file; undefined if there is none, as in a project without TypeScript.
   *
   * @param folder of the project
   */
  async of(folder: string, path: string): Promise<SourceOutline | undefined> {
    const text = await this.#documents.textOf(path);
    const compiler = this.#compilerOf(folder);
    if (text === undefined || compiler === undefined) return undefined;
    const known = this.#known.get(path);
    if (known?.text === text) return known.outline;
    const outline = new SourceOutline(compiler, path, text);
    this.#known.set(path, { text, outline });
    return outline;
  }

  #compilerOf(folder: string): Compiler | undefined {
    if (!this.#compilers.has(folder)) this.#compilers.set(folder, loadCompiler(folder));
    return this.#compilers.get(folder);
  }
}

function loadCompiler(folder: string): Compiler | undefined {
  try {
    const found: unknown = createRequire(join(folder, "package.json"))("typescript");
    return isCompiler(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Checks for a compiler that other programs can call. */
const isCompiler = (found: unknown): found is Compiler =>
  isObject(found) && typeof found["createSourceFile"] === "function";
