import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { edited } from "../../../core/hcl/source-edits";
import { parsedJson } from "../../../core/json/plain-json";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { isLocalPlatformError } from "../terraform/local-platform-error";
import { withoutNames } from "./evaluated-json";
import {
  type ConfigurationFile,
  configurationFiles,
  lineAt,
  type ModuleCall,
  moduleCalls,
} from "./configuration-file";

const modules = join(".terraform", "modules");
/** How long a module that cannot be fetched is not tried again. */
const retryAfterMs = 60_000;

/** The files of a template's own folder and of its modules, and the calls whose module is missing. */
export interface LoadedModules {
  readonly files: readonly ConfigurationFile[];
  readonly missing: readonly ModuleCall[];
}

type Files = ReadonlyMap<string, Buffer>;

/** The modules of a template, which are fetched once for each content of the template. */
export class ModuleFolders {
  #content = "";
  #files: Files = new Map();
  #missing: ReadonlySet<string> = new Set();
  #fetchedAt = 0;

  /**
   * Puts the modules into a copy of a template: those of an earlier preview or of the template's own
   * `.terraform/modules`, and fetches others. Leaves out the calls of those that cannot be fetched.
   *
   * @param get fetches all modules of the copy, or fails
   */
  async load(template: string, copy: string, get: () => Promise<void>): Promise<LoadedModules> {
    const own = await localFiles(copy);
    const calls = own.flatMap(moduleCalls);
    if (calls.length === 0) return { files: own, missing: [] };
    const content = hashOf(own);
    const isKnown = content === this.#content;
    const seed = this.#files.size > 0 ? this.#files : await filesIn(join(template, modules));
    await writeFiles(join(copy, modules), seed);
    if (!isKnown || (this.#missing.size > 0 && Date.now() - this.#fetchedAt > retryAfterMs)) {
      this.#missing = await fetched(copy, own, get);
      this.#files = await filesIn(join(copy, modules));
      this.#content = content;
      this.#fetchedAt = Date.now();
    }
    const missing = calls.filter((call) => this.#missing.has(idOf(call)));
    const folders = await installedFolders(copy);
    const known = new Set(own.map(({ folder }) => folder));
    const others = await Promise.all(
      folders.filter((each) => !known.has(each)).map((each) => configurationFiles(copy, each)),
    );
    return { files: [...own, ...others.flat()], missing };
  }
}

const idOf = ({ file, name }: Pick<ModuleCall, "file" | "name">): string => `${file.path} ${name}`;

/** Returns the files of the template's own folder, and of the modules in its other folders. */
export async function localFiles(copy: string): Promise<readonly ConfigurationFile[]> {
  const found = new Map<string, readonly ConfigurationFile[]>();
  const visit = async (folder: string): Promise<void> => {
    if (found.has(folder)) return;
    const files = await configurationFiles(copy, folder);
    found.set(folder, files);
    for (const { source } of files.flatMap(moduleCalls)) {
      if (isLocal(source)) await visit(join(folder, source));
    }
  };
  await visit("");
  return [...found.values()].flat();
}

const isLocal = (source: string): boolean => /^\.{1,2}\//.test(source);

/** Fetches as many modules as possible, and returns the calls whose module cannot be fetched. */
async function fetched(
  copy: string,
  files: readonly ConfigurationFile[],
  get: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const calls = files.flatMap(moduleCalls);
  const missing = new Set<string>();
  for (;;) {
    try {
      await get();
      break;
    } catch (failure) {
      if (!(isLocalPlatformError(failure) && failure.code === "TERRAFORM")) throw failure;
      const rest = calls.filter((call) => !missing.has(idOf(call)));
      const named = rest.filter((call) => isNamed(call, failure.message));
      const remote = rest.filter(({ source }) => !isLocal(source));
      const [failed = []] = [named, remote].filter((each) => each.length > 0);
      // Something else is wrong, which the plan reports.
      if (failed.length === 0) break;
      for (const call of failed) missing.add(idOf(call));
      await writeWithout(copy, files, missing);
    }
  }
  for (const { path, text } of files) await writeFile(join(copy, path), text);
  return missing;
}

/** Checks whether Terraform names a call in its reasons for which it cannot fetch all modules. */
function isNamed({ file, name, item }: ModuleCall, reasons: string): boolean {
  const inside = [...reasons.matchAll(/\.terraform[/\\]modules[/\\]([\w-]+)/g)];
  // A module inside of it. Terraform names its folder by the names of the calls.
  if (file.folder === "" && inside.some(([, first]) => first === name)) return true;
  return [...reasons.matchAll(/([^\s"'()]+\.tf(?:\.json)?)(?::| line )(\d+)/g)].some(
    ([, path, line]) =>
      path === file.path &&
      (item === undefined
        ? reasons.includes(`"${name}"`)
        : Number(line) >= lineAt(file.text, item.from)[0] &&
          Number(line) <= lineAt(file.text, item.to)[0]),
  );
}

/** Writes the files of the template without calls; the lines stay the same. */
async function writeWithout(
  copy: string,
  files: readonly ConfigurationFile[],
  missing: ReadonlySet<string>,
): Promise<void> {
  for (const file of files) {
    const calls = moduleCalls(file).filter((call) => missing.has(idOf(call)));
    if (calls.length === 0) continue;
    const edits = calls.flatMap(({ item }) =>
      item === undefined
        ? []
        : {
            start: item.from,
            end: item.to,
            text: file.text.slice(item.from, item.to).replaceAll(/[^\n]/g, ""),
          },
    );
    const names = new Set(calls.map(({ name }) => name));
    const text =
      file.json === undefined
        ? edited(file.text, edits)
        : JSON.stringify({ ...file.json, module: withoutNames(file.json["module"], names) });
    await writeFile(join(copy, file.path), text);
  }
}

/** Returns the folders of the modules, as Terraform lists them after it has fetched them. */
async function installedFolders(copy: string): Promise<readonly string[]> {
  const text = await readFile(join(copy, modules, "modules.json"), "utf8").catch(() => "{}");
  const folders = listOf(objectOf(parsedJson(text))["Modules"])
    .map(objectOf)
    .filter(({ Key: key }) => stringOf(key) !== "")
    .map(({ Dir: path }) => join(stringOf(path)));
  return [...new Set(folders)];
}

async function filesIn(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(?:^|[/\\])\.git[/\\]/.test(path));
  const contents = paths.map(async (path) => [path, await readFile(join(folder, path))] as const);
  return new Map(await Promise.all(contents));
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

function hashOf(files: readonly ConfigurationFile[]): string {
  const all = createHash("sha256");
  for (const { path, text } of files) all.update(`${JSON.stringify([path, text])}\n`);
  return all.digest("hex");
}
