import { join } from "node:path";
import { projectTypeScript, type TypeScriptCompiler } from "../user-code/project-compiler";
import type { OpenDocuments } from "./open-documents";
import { SourceOutline } from "./source-outline";

/** Reads sources of a project with its own TypeScript. */
export class Outlines {
  readonly #documents: OpenDocuments;
  readonly #compilers = new Map<string, TypeScriptCompiler | undefined>();
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

  #compilerOf(folder: string): TypeScriptCompiler | undefined {
    if (!this.#compilers.has(folder)) {
      this.#compilers.set(folder, projectTypeScript(join(folder, "package.json")));
    }
    return this.#compilers.get(folder);
  }
}
