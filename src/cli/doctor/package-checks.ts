import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";
import type { CommandEnvironment } from "../invocation/command-environment";
import { type Observation, warning } from "./environment-checks";

/** A program must have one copy of each: TypeScript refuses constructs of one copy where it expects those of another. */
const shared = ["constructs", "cdktf", "cdktn", "@trivet/constructs"] as const;

const maxPackages = 500;

/**
 * Finds second copies of the libraries, as in a workspace whose packages each install their own. Yarn's Plug'n'Play has no
 * folders to search.
 */
export async function checkCopies({
  workingFolder,
}: CommandEnvironment): Promise<readonly Observation[]> {
  const found = await copies(workingFolder);
  return shared.flatMap((name) => {
    const places = [...(found.get(name) ?? [])];
    if (places.length < 2) return [];
    const texts = places.map(
      ([folder, version]) => `${version} in ${relative(workingFolder, folder) || "."}`,
    );
    return warning(
      `The packages of this project load ${String(places.length)} copies of ${name}: ${texts.join(", ")}.`,
      `Install ${name} once, in the root of the workspace, and name it in the peerDependencies of ` +
        "packages that others import.",
    );
  });
}

/**
 * Searches a project, and everything below it that uses one of the libraries.
 *
 * @returns the folders of each library, with their versions
 */
async function copies(project: string): Promise<ReadonlyMap<string, Map<string, string>>> {
  const found = new Map<string, Map<string, string>>(shared.map((name) => [name, new Map()]));
  const manifest = await manifestIn(project);
  if (manifest === undefined) return found;
  const users: InstalledPackage[] = [{ folder: await realpath(project), manifest }];
  const known = new Set<string>();
  for (const user of users) {
    if (known.has(user.folder) || known.size >= maxPackages) continue;
    known.add(user.folder);
    // The root of a workspace can have what the project loads without naming it.
    const names =
      known.size === 1 ? [...shared, ...dependencies(user.manifest)] : dependencies(user.manifest);
    for (const name of names) {
      const each = await installedPackage(name, user.folder);
      if (each === undefined) continue;
      found.get(name)?.set(each.folder, String(each.manifest["version"]));
      if (usesShared(each.manifest)) users.push(each);
    }
  }
  return found;
}

const usesShared = (manifest: Properties): boolean =>
  dependencies(manifest).some((name) => shared.some((each) => each === name));

/** Without dependencies for development, which only the project itself has installed, and does not load. */
const dependencies = ({
  dependencies: own,
  peerDependencies: peers,
}: Properties): readonly string[] =>
  [own, peers].flatMap((list) => (isObject(list) ? Object.keys(list) : []));

/** They call the compiler of TypeScript 5 and 6, which TypeScript 7 no longer has. */
const compilerUsers = ["ts-node", "ts-jest"] as const;

/** Finds a TypeScript that is too new for ts-node or ts-jest, such as the one that `cdktf init` installs. */
export async function checkTypeScript({
  workingFolder: folder,
}: CommandEnvironment): Promise<readonly Observation[]> {
  const version = String((await installedPackage("typescript", folder))?.manifest["version"]);
  if (!(Number.parseInt(version, 10) >= 7)) return [];
  const found = await Promise.all(compilerUsers.map((name) => installedPackage(name, folder)));
  const users = compilerUsers.filter((_, index) => found[index] !== undefined);
  if (users.length === 0) return [];
  return warning(
    `${users.join(" and ")} cannot run with TypeScript ${version}.`,
    "Run `npm install --save-dev typescript@5.9`.",
  );
}

interface InstalledPackage {
  /** Its folder, without symbolic links: npm, pnpm and Yarn link packages of a workspace. */
  readonly folder: string;
  readonly manifest: Properties;
}

/** Finds the package that Node.js loads from a folder. */
async function installedPackage(
  name: string,
  start: string,
): Promise<InstalledPackage | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    const manifest = await manifestIn(found);
    if (manifest !== undefined) return { folder: await realpath(found), manifest };
    if (dirname(folder) === folder) return undefined;
  }
}

async function manifestIn(folder: string): Promise<Properties | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  const manifest = text === undefined ? undefined : parsedJson(text);
  return isObject(manifest) ? manifest : undefined;
}
