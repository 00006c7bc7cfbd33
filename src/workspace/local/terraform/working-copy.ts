import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile, readlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { type JsonObject, listOf, objectOf, parsedJson, textOf } from "./json-value";
import { LocalPlatformError } from "./local-platform-error";

/** Where the platform puts the state before a build and looks for it afterwards. */
export const stateFile = "terraform.tfstate";

export interface WorkingCopy {
  readonly folder: string;
  readonly stateFile: string;
  /** Of all that was copied. */
  readonly contentHash: string;
  readonly warnings: readonly string[];
}

/**
 * Copies a template as the platform packs it: without hidden files (but for the dependency lock file)
 * and without states.
 */
export async function makeWorkingCopy(
  template: string,
  folder: string,
  typePrefix: string,
): Promise<WorkingCopy> {
  const files = await configurationFiles(template);
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await cp(template, folder, {
    recursive: true,
    filter: (source) => source === template || isPacked(basename(source)),
  });
  const warnings = [...files.flatMap((file) => tagsWarning(file, typePrefix))];
  const elsewhere = files.filter(keepsItsState);
  // cdktf writes a path into each stack that has no backend: nobody has asked for that one.
  if (!elsewhere.every(hasBackendOfCdktf)) {
    warnings.push(
      "The template says where its state is kept. The platform expects it in " +
        `${stateFile} and loses any other: leave the backend out, or let it be a local one with ` +
        "that path. Here it is overridden.",
    );
  }
  if (elsewhere.length > 0) {
    await writeFile(join(folder, "local-platform_override.tf.json"), OWN_BACKEND);
  }
  const hash = await contentHash(folder);
  return { folder, stateFile: join(folder, stateFile), contentHash: hash, warnings };
}

const OWN_BACKEND = `${JSON.stringify({ terraform: { backend: { local: { path: stateFile } } } })}\n`;

function isPacked(name: string): boolean {
  return name === ".terraform.lock.hcl" || !(name.startsWith(".") || name.includes(".tfstate"));
}

interface ConfigurationFile {
  readonly name: string;
  readonly text: string;
  /** Of a JSON file. */
  readonly json: JsonObject;
}

async function configurationFiles(template: string): Promise<readonly ConfigurationFile[]> {
  const names = await readdir(template).catch((cause: unknown) => {
    throw new LocalPlatformError(
      "FOLDER",
      `The template's folder ${template} cannot be read.`,
      "Name the folder of a synthesized stack, as cdktf.out/stacks/<name>, or any with .tf files.",
      { cause },
    );
  });
  const found = names.filter((name) => name.endsWith(".tf") || name.endsWith(".tf.json"));
  if (found.length === 0) {
    throw new LocalPlatformError(
      "FOLDER",
      `There is neither a .tf nor a .tf.json file in ${template}.`,
      "Synthesize the stack first, and name its folder, as cdktf.out/stacks/<name>.",
    );
  }
  return await Promise.all(
    found.map(async (name) => {
      const text = await readFile(join(template, name), "utf8");
      return { name, text, json: name.endsWith(".json") ? objectOf(parsedJson(text)) : {} };
    }),
  );
}

/** Whether it has a backend other than the one that the platform expects. */
function keepsItsState({ name, text, json }: ConfigurationFile): boolean {
  if (name.endsWith(".tf")) return /^\s*(?:backend\s+"|cloud\s*\{)/m.test(text);
  const paths = ["", stateFile, `./${stateFile}`];
  return !isLocal(json, (path) => paths.includes(path));
}

/** Whether it is a stack without a backend, as cdktf synthesizes it. */
function hasBackendOfCdktf({ json }: ConfigurationFile): boolean {
  const stack = textOf(objectOf(objectOf(json["//"])["metadata"])["stackName"]);
  return stack !== "" && isLocal(json, (path) => basename(path) === `terraform.${stack}.tfstate`);
}

/** Whether it has no other backends than local ones with such a path; it may have none. */
function isLocal(json: JsonObject, accepts: (path: string) => boolean): boolean {
  return blocks(json["terraform"]).every((terraform) => {
    const kinds = blocks(terraform["backend"]).flatMap(Object.entries<unknown>);
    const accepted = kinds.every(
      ([kind, settings]) =>
        kind === "local" && accepts(blocks(settings).map((one) => textOf(one["path"]))[0] ?? ""),
    );
    return terraform["cloud"] === undefined && accepted;
  });
}

function tagsWarning({ name, json }: ConfigurationFile, typePrefix: string): readonly string[] {
  const type = `${typePrefix}workspace_tags`;
  return blocks(json["data"]).some((data) => type in data)
    ? [
        `${name} declares ${type}. Some versions of the platform look for it in .tf files alone ` +
          "while they import a template: repeat it in one.",
      ]
    : [];
}

/** In JSON a block is an object, or a list of them. */
function blocks(value: unknown): readonly JsonObject[] {
  return (Array.isArray(value) ? listOf(value) : [value]).map(objectOf);
}

/** Differs when any file of the folder does, by its path or by what is in it. */
export async function contentHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isLink: entry.isSymbolicLink() }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = createHash("sha256");
  for (const { path, isLink } of files) {
    const content = isLink ? await readlink(path) : await readFile(path);
    const hash = createHash("sha256").update(content).digest("hex");
    all.update(`${JSON.stringify(relative(folder, path))} ${hash}\n`);
  }
  return all.digest("hex");
}
