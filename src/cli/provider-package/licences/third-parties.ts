import { join } from "node:path";
import { isObject, type Properties } from "../../../core/json/plain-json";
import { manifestIn } from "../../../core/process/package-root";
import { type LicenceText, licenceTexts } from "./licence-texts";

/** A third-party package of which parts are in a bundle. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as in its package.json; undefined if there is none. */
  readonly licence: string | undefined;
  /** Its author and the address of its sources, as far as they are in its package.json. */
  readonly origin: string;
  /** Its folder below the root, with slashes. */
  readonly folder: string;
  readonly texts: readonly LicenceText[];
}

/** The part of esbuild's metadata that says how much of each module is in the files of a bundle. */
interface Contents {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

/** Returns the modules whose code is in a bundle, as paths from the root. */
export function bundledModules({ outputs }: Contents): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const modules = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return [...new Set(modules.map(([path]) => path))].sort();
}

/** Matches the path of a module up to the folder of its package, below the last `node_modules`. */
const packageFolder = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;

/**
 * Returns the packages of some modules, sorted by name and version. Modules outside of `node_modules` belong to the project.
 *
 * @param root the folder to which the paths of the modules are relative
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
 * Merges equal packages, and sorts them by name and version. npm can install the same version in several
 * folders, and bundles can contain different parts of it.
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

/** Returns name and version, as in `npm install`. */
export const identityOf = ({ name, version }: Pick<ThirdParty, "name" | "version">): string =>
  `${name}@${version}`;

const byFile = (a: LicenceText, b: LicenceText): number => (a.file < b.file ? -1 : 1);

async function thirdParty(
  root: string,
  folder: string,
  installedAs: string,
  modules: readonly string[],
): Promise<ThirdParty> {
  // Without a readable manifest, the licence is unknown, which is reported.
  const manifest = manifestIn(join(root, folder));
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

/**
 * Reads the licence. Old packages have an object, or a list in `licenses`, for which it is unknown whether one is enough.
 */
function licenceOf({ license, licenses }: Properties): string | undefined {
  if (Array.isArray(licenses)) {
    const all = licenses.map((each) => addressOf(each, "type"));
    if (all.length > 0 && !all.includes(undefined)) return all.join(" AND ");
  }
  return addressOf(license, "type");
}

/** Returns a string, or the string in a property of an object. */
function addressOf(value: unknown, property: string): string | undefined {
  const text = isObject(value) ? value[property] : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}
