import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BodyItem, isConfiguration, itemsIn } from "../../../core/hcl/configuration-blocks";
import { codeOf } from "../../../core/hcl/template-sequences";
import { environmentVariables, variableFiles } from "../../../core/hcl/variable-files";
import { parsedJson, type Properties } from "../../../core/json/plain-json";
import { bodiesOf, objectOf, stringOf } from "../terraform/json-value";

/** A file of a template before it is reduced. */
export interface ConfigurationFile {
  /** Relative to the copy of the template, as Terraform names it. */
  readonly path: string;
  /** Relative to the copy; empty for the template's own folder. */
  readonly folder: string;
  readonly text: string;
  /** The code of a file in native syntax without its strings, and its blocks; otherwise empty. */
  readonly code: string;
  readonly items: readonly BodyItem[];
  /** Undefined for native syntax, and for a file that cannot be read. */
  readonly json: Properties | undefined;
}

export interface ModuleCall {
  readonly file: ConfigurationFile;
  readonly name: string;
  readonly source: string;
  /** Undefined in JSON. */
  readonly item: BodyItem | undefined;
}

/** Reads the files in a folder of a copy. A folder has none if it does not exist, or is not in the copy. */
export async function configurationFiles(
  copy: string,
  folder: string,
): Promise<readonly ConfigurationFile[]> {
  // The files that are read here are also written.
  if (/^\.\.(?:[/\\]|$)/.test(folder)) return [];
  const found = await readdir(join(copy, folder), { withFileTypes: true }).catch(() => []);
  const names = found.filter((each) => each.isFile() && isConfiguration(each.name));
  return await Promise.all(
    names.map(async ({ name }) => {
      const path = join(folder, name);
      const text = await readFile(join(copy, path), "utf8");
      if (name.endsWith(".json")) {
        const json = parsedJson(text);
        const content = json === undefined ? undefined : objectOf(json);
        return { path, folder, text, code: "", items: [], json: content };
      }
      const code = codeOf(text, "body");
      return { path, folder, text, code, items: itemsIn(text, code), json: undefined };
    }),
  );
}

export function moduleCalls(file: ConfigurationFile): readonly ModuleCall[] {
  const { text, code, items, json } = file;
  const native = items
    .filter(({ kind, name }) => kind === "block" && name === "module")
    .map((item) => {
      const source = itemsIn(text, code, item.start, item.end).find(
        ({ name }) => name === "source",
      );
      const written = source === undefined ? "" : text.slice(source.start, source.end);
      const [, value = ""] = /"(.*)"/.exec(written) ?? [];
      return { file, name: item.labels[0] ?? "", source: value, item };
    });
  const inJson = bodiesOf(json?.["module"]).flatMap((named) =>
    Object.entries(named).map(([name, body]) => {
      const source = stringOf(objectOf(body)["source"]);
      return { file, name, source, item: undefined };
    }),
  );
  return [...native, ...inJson];
}

/** A variable of a template that has no default. */
export interface DeclaredVariable {
  readonly name: string;
  readonly file: ConfigurationFile;
  /** Undefined in JSON. */
  readonly index: number | undefined;
}

/** Returns the variables of a template, not of its modules, that have no default. */
export function declaredVariables(
  files: readonly ConfigurationFile[],
): readonly DeclaredVariable[] {
  return files
    .filter(({ folder }) => folder === "")
    .flatMap((file) => {
      const { text, code, items, json } = file;
      const native = items
        .filter(({ kind, name }) => kind === "block" && name === "variable")
        .filter(
          ({ start, end }) =>
            !itemsIn(text, code, start, end).some(({ name }) => name === "default"),
        )
        .map(({ labels: [name = ""], from }) => ({ name, file, index: from }));
      const inJson = bodiesOf(json?.["variable"])
        .flatMap((named) => Object.entries(named))
        .filter(([, body]) => !("default" in objectOf(body)))
        .map(([name]) => ({ name, file, index: undefined }));
      return [...native, ...inJson];
    });
}

/** Returns the names of the variables that have a value, in the ways that Terraform knows. */
export async function givenVariables(
  folder: string,
  variables: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlySet<string>> {
  const inFiles = (await variableFiles(folder)).map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return name.endsWith(".json")
      ? Object.keys(objectOf(parsedJson(text)))
      : itemsIn(text, codeOf(text, "body")).map((item) => item.name);
  });
  const inEnvironment = environmentVariables(env).map(([name]) => name);
  const others = (await Promise.all(inFiles)).flat();
  return new Set([...Object.keys(variables), ...inEnvironment, ...others]);
}

/** Returns the number of the line at an index, and the line. */
export function lineAt(text: string, index: number): readonly [line: number, code: string] {
  const line = text.slice(0, index).split("\n").length;
  return [line, text.split("\n")[line - 1]?.trimEnd() ?? ""];
}
