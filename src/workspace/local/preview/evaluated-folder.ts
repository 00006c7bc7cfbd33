import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { copyTemplate } from "../terraform/template-archive";
import { addressesOfJson, evaluatedJson } from "./evaluated-json";
import { addressesOfNative, evaluatedNative } from "./evaluated-native";
import { countedLocals, countedParameters } from "./first-reading";
import { previewedTypes, previewSource } from "./preview-provider";
import { unknownValue } from "./unknown-references";
import { parsedJson } from "../../../json/plain-json";

/**
 * Copies a template and reduces the copy to the parts that the platform evaluates before it runs Terraform:
 * variables, locals, modules, and the data sources that it knows itself.
 *
 * References to anything else become unknown values.
 *
 * @param getModules downloads the modules of the copy, if it has any
 * @returns true if the copy contains anything that the platform shows
 */
export async function makeEvaluatedFolder(
  template: string,
  folder: string,
  {
    typePrefix,
    getModules,
  }: { readonly typePrefix: string; readonly getModules: () => Promise<void> },
): Promise<boolean> {
  await copyTemplate(template, folder);
  const files = await configurationOf(folder);
  const types = new RegExp(`"${typePrefix}(?:${previewedTypes.join("|")})"`);
  const hasModules = files.some((file) => file.hasModules);
  if (!hasModules && !files.some(({ text }) => types.test(text))) return false;
  if (hasModules) await getModules();
  await reduce(folder, files, typePrefix, true);
  for (const module of await moduleFolders(folder)) {
    await reduce(module, await configurationOf(module), typePrefix, false);
  }
  return true;
}

interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
  readonly isJson: boolean;
  readonly hasModules: boolean;
}

async function configurationOf(folder: string): Promise<readonly ConfigurationFile[]> {
  const names = (await readdir(folder)).filter((name) => /\.tf(?:\.json)?$/.test(name));
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      const isJson = name.endsWith(".json");
      const hasModules = isJson ? /"module"\s*:/.test(text) : /\bmodule\s/.test(text);
      return { path: join(folder, name), text, isJson, hasModules };
    }),
  );
}

async function reduce(
  folder: string,
  files: readonly ConfigurationFile[],
  typePrefix: string,
  isRoot: boolean,
): Promise<void> {
  const types = new Set(previewedTypes.map((type) => typePrefix + type));
  const isEvaluated = (type: string, name: string) =>
    types.has(type) && (type !== `${typePrefix}workspace_owner` || name === "me");
  const isKnown = (address: string) =>
    address.startsWith(`data.${typePrefix}parameter.`) ||
    address === `data.${typePrefix}workspace_owner.me`;
  const declared = files.flatMap(({ text, isJson }) =>
    isJson ? addressesOfJson(objectOf(parsedJson(text))) : addressesOfNative(text),
  );
  const unknown = new Set(declared.filter((address) => !isKnown(address)));
  const counted = new Set(
    files.flatMap(({ text, isJson }) => (isJson ? [] : countedParameters(text))),
  );
  for (const { path, text, isJson } of files) {
    const json = isJson ? parsedJson(text) : undefined;
    // A file that cannot be read stays as it is, so that Terraform reports it.
    if (isJson && json === undefined) continue;
    const reduced = isJson
      ? JSON.stringify(evaluatedJson(objectOf(json), isRoot, isEvaluated, unknown))
      : evaluatedNative(text, isRoot, isEvaluated, unknown, counted);
    await writeFile(path, reduced);
  }
  const [provider = ""] = typePrefix.split("_");
  const added = {
    terraform: { required_providers: { [provider]: { source: previewSource } } },
    ...unknownValue,
    locals: { ...unknownValue.locals, ...countedLocals(counted, typePrefix) },
  };
  await writeFile(join(folder, "trivet_preview.tf.json"), JSON.stringify(added));
  // It names providers that the copy no longer has.
  if (isRoot) await rm(join(folder, ".terraform.lock.hcl"), { force: true });
}

/** Returns the folders of the modules, as Terraform lists them after it has downloaded them. */
async function moduleFolders(folder: string): Promise<readonly string[]> {
  const list = join(folder, ".terraform", "modules", "modules.json");
  const text = await readFile(list, "utf8").catch(() => "{}");
  const paths = listOf(objectOf(parsedJson(text))["Modules"])
    .map(objectOf)
    .filter(({ Key: key }) => stringOf(key) !== "")
    .map(({ Dir: path }) => join(folder, stringOf(path)));
  return [...new Set(paths)];
}
