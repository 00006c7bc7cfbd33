import type * as TypeScript from "typescript";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { projectTypeScript, type TypeScriptCompiler } from "../user-code/project-compiler";
import type { Range } from "./protocol";

/** The expression that creates a construct. */
type Creation = TypeScript.NewExpression | TypeScript.CallExpression;

/** Finds constructs in a source file, with the project's own TypeScript. */
export class SourceOutline {
  readonly compiler: TypeScriptCompiler;
  readonly file: TypeScript.SourceFile;

  constructor(compiler: TypeScriptCompiler, path: string, text: string) {
    this.compiler = compiler;
    this.file = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
  }

  /** Returns the expression that creates a construct at a position, which counts from 0. */
  creationAt(line: number, column: number): Creation | undefined {
    return this.creationsAround(line, column).find(
      (each) => this.rangeOf(each).start.line === line,
    );
  }

  /** Returns the expressions around a position that may create constructs, from the inside out. It counts from 0. */
  creationsAround(line: number, column: number): readonly Creation[] {
    if (line >= this.file.getLineStarts().length) return [];
    const offset = this.file.getPositionOfLineAndCharacter(line, 0) + column;
    const found: Creation[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (offset < node.getFullStart() || offset >= node.getEnd()) return;
      if (this.#isCreation(node) && node.getStart(this.file) <= offset) found.unshift(node);
      this.compiler.forEachChild(node, visit);
    };
    visit(this.file);
    return found;
  }

  /**
   * Returns a property in the arguments, if it is written there.
   *
   * @param path such as `severity` or `option[0].name`, also in Terraform's spelling, such as `endpoint_id`
   */
  propertyOf(creation: Creation, path: string): Range | undefined {
    const steps = path.match(/[\w-]+/g) ?? [];
    const object = creation.arguments?.find((each) =>
      this.compiler.isObjectLiteralExpression(each),
    );
    const found = this.#propertyIn(object, steps);
    return found && this.rangeOf(found);
  }

  /** Returns the string with a value in the expression, if there is exactly one. */
  stringIn(creation: Creation, value: string): Range | undefined {
    const found = this.nodesIn(creation).filter(
      (each) => this.compiler.isStringLiteralLike(each) && each.text === value,
    );
    const [only, ...others] = found;
    return only === undefined || others.length > 0 ? undefined : this.rangeOf(only);
  }

  nodesIn(node: TypeScript.Node): readonly TypeScript.Node[] {
    const found: TypeScript.Node[] = [];
    const visit = (each: TypeScript.Node): void => {
      found.push(each);
      this.compiler.forEachChild(each, visit);
    };
    visit(node);
    return found;
  }

  textOf = (node: TypeScript.Node): string => node.getText(this.file);

  rangeOf(node: TypeScript.Node): Range {
    return {
      start: this.file.getLineAndCharacterOfPosition(node.getStart(this.file)),
      end: this.file.getLineAndCharacterOfPosition(node.getEnd()),
    };
  }

  #isCreation(node: TypeScript.Node): node is Creation {
    return this.compiler.isNewExpression(node) || this.compiler.isCallExpression(node);
  }

  #propertyIn(
    node: TypeScript.Expression | undefined,
    [step, ...rest]: readonly string[],
  ): TypeScript.Node | undefined {
    if (node === undefined || step === undefined) return undefined;
    if (this.compiler.isArrayLiteralExpression(node)) {
      const element = node.elements[Number(step)];
      return this.#propertyIn(element, rest) ?? element;
    }
    if (!this.compiler.isObjectLiteralExpression(node)) return undefined;
    const property = node.properties.find(
      ({ name }) => name !== undefined && plain(this.textOf(name)) === plain(step),
    );
    if (property === undefined) return undefined;
    const value = this.compiler.isPropertyAssignment(property) ? property.initializer : undefined;
    return this.#propertyIn(value, rest) ?? property;
  }
}

/** A common form of the names of properties and of Terraform. */
const plain = (name: string): string => name.replaceAll(/["'_-]/g, "").toLowerCase();

export class Outlines {
  readonly #documents: OpenDocuments;
  readonly #compilers = new Map<string, TypeScriptCompiler | undefined>();
  readonly #known = new Map<string, { readonly text: string; readonly outline: SourceOutline }>();

  constructor(documents: OpenDocuments) {
    this.#documents = documents;
  }

  /**
   * Returns the outline of a file; undefined if it cannot be read, or in a project without TypeScript.
   *
   * @param folder the folder of the project
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

export class OpenDocuments {
  readonly #texts = new Map<string, string>();

  set(path: string, text: string): void {
    this.#texts.set(path, text);
  }

  delete(path: string): void {
    this.#texts.delete(path);
  }

  /** Returns the text of a file in the editor, or else on disk; undefined if it cannot be read. */
  async textOf(path: string): Promise<string | undefined> {
    return this.#texts.get(path) ?? (await readFile(path, "utf8").catch(() => undefined));
  }

  /** Returns the unsaved texts in a folder, by path. */
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
