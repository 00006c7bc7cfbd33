import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { itemsIn } from "../../../core/hcl/configuration-blocks";
import { codeOf } from "../../../core/hcl/template-sequences";
import { parsedJson } from "../../../core/json/plain-json";
import { bodiesOf, objectOf } from "../terraform/json-value";
import { isVariables } from "../terraform/template-archive";
import type { ConfigurationFile } from "./configuration-file";

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
  const files = (await readdir(folder)).filter(isVariables);
  const inFiles = files.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return name.endsWith(".json")
      ? Object.keys(objectOf(parsedJson(text)))
      : itemsIn(text, codeOf(text, "body")).map((item) => item.name);
  });
  const inEnvironment = Object.keys(env).flatMap((name) => /^TF_VAR_(.+)$/.exec(name)?.[1] ?? []);
  return new Set([
    ...Object.keys(variables),
    ...inEnvironment,
    ...(await Promise.all(inFiles)).flat(),
  ]);
}
