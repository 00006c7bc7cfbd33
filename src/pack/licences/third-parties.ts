import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type Properties } from "../../json/is-object";
import { parsedJson } from "../../json/plain-json";
import { type LicenceText, licenceTexts } from "./licence-texts";

/** A package of others, of which parts are in a bundle. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as in its package.json; undefined if there is none. */
  readonly licence: string | undefined;
  /** Its author and the address of its sources, as far as its package.json names them. */
  readonly origin: string;
  /** Its folder below the root, with slashes. */
  readonly folder: string;
  readonly texts: readonly LicenceText[];
}

/** What esbuild says about the files of a bundle: how much of each module is in them. */
interface Contents {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

/** The modules of which code is in a bundle, as paths from the root. */
export function bundledModules({ outputs }: Contents): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const modules = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return [...new Set(modules.map(([path]) => path))].sort();
}

/** The path of a package's folder, up to the last `node_modules` in the path of a module. */
const packageFolder = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;

/**
 * The packages that some modules belong to, sorted by name and version. Modules outside of `node_modules` are the
 * project's own.
 *
 * @param root the folder from which the paths of the modules lead to them
 * @param modules with slashes, as esbuild names them
 */
export async function thirdParties(
  root: string,
  modules: Iterable<string>,
): Promise<readonly ThirdParty[]> {
  const byFolder = new Map<string, { name: string; modules: string[] }>();
  for (const module of new Set(modules)) {
    const [folder, name] = packageFolder.exec(module) ?? [];
    if (folder === undefined || name === undefined) continue;
    const found = byFolder.get(folder) ?? { name, modules: [] };
    byFolder.set(folder, found);
    found.modules.push(module.slice(folder.length + 1));
  }
  const found = await Promise.all(
    [...byFolder]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([folder, { name, modules }]) => thirdParty(root, folder, name, modules)),
  );
  return uniteThirdParties(found);
}

/**
 * Each package once, sorted by name and version, with all of its texts. npm can install the same version in several
 * folders, and bundles can contain other parts of it.
 */
export function uniteThirdParties(packages: Iterable<ThirdParty>): readonly ThirdParty[] {
  const byIdentity = new Map<string, ThirdParty>();
  for (const each of packages) {
    const { texts } = byIdentity.get(identityOf(each)) ?? { texts: [] };
    const files = new Set(each.texts.map(({ file }) => file));
    const all = [...each.texts, ...texts.filter(({ file }) => !files.has(file))];
    byIdentity.set(identityOf(each), { ...each, texts: all.sort(byFile) });
  }
  return [...byIdentity].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Name and version, as in `npm install`. */
export const identityOf = ({ name, version }: Pick<ThirdParty, "name" | "version">): string =>
  `${name}@${version}`;

const byFile = (a: LicenceText, b: LicenceText): number => (a.file < b.file ? -1 : 1);

async function thirdParty(
  root: string,
  folder: string,
  installedAs: string,
  modules: readonly string[],
): Promise<ThirdParty> {
  const manifest = await manifestIn(join(root, folder));
  const { name, version } = manifest;
  return {
    // An alias (`npm:other@1`) is installed under another name.
    name: typeof name === "string" ? name : installedAs,
    version: typeof version === "string" ? version : "unknown",
    licence: licenceOf(manifest),
    origin: [addressOf(manifest["author"], "name"), addressOf(manifest["repository"], "url")]
      .filter((each) => each !== undefined)
      .join(", "),
    folder,
    texts: await licenceTexts(join(root, folder), modules),
  };
}

/** Empty if it cannot be read: then its licence is unknown, which is reported. */
async function manifestIn(folder: string): Promise<Properties> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  const read = parsedJson(text);
  return isObject(read) ? read : {};
}

/** Old packages have an object, or a list in `licenses`, which does not say whether one is enough. */
function licenceOf({ license, licenses }: Properties): string | undefined {
  if (Array.isArray(licenses)) {
    const all = licenses.map((each) => addressOf(each, "type"));
    if (all.length > 0 && !all.includes(undefined)) return all.join(" AND ");
  }
  return addressOf(license, "type");
}

/** A text, or that in a property of an object. */
function addressOf(value: unknown, property: string): string | undefined {
  const text = isObject(value) ? value[property] : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}
