import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { blocksIn } from "../../core/hcl/configuration-blocks";
import { isObject, type Properties } from "../../core/json/plain-json";
import { manifestIn } from "../../core/process/package-root";
import { userConfigurations } from "../exec/cli-configuration";
import type { CommandEnvironment } from "../invocation/command-environment";
import { providerHost } from "../package/mirror";

export interface Observation {
  /** A problem makes commands fail. */
  readonly status: "warning" | "problem";
  readonly message: string;
  readonly fix: string;
}

const warning = (message: string, fix: string): readonly Observation[] => [
  { status: "warning", message, fix },
];

/** Finds a CLI configuration that hides the plugin folder from Terraform. */
export async function checkConfiguration(
  around: CommandEnvironment,
): Promise<readonly Observation[]> {
  const files = await userConfigurations(around, "terraform");
  const own = files.find(({ text }) =>
    blocksIn(text).some(({ name }) => name === "provider_installation"),
  );
  if (own === undefined || own.text.includes(providerHost)) return [];
  return warning(
    `${own.path} has a provider_installation block without ${providerHost}, so Terraform does not search the plugin folder.`,
    "Use `trivet exec -- …`, or add a filesystem_mirror for that host to the block.",
  );
}

/** Finds proxies that also receive requests to this machine. */
export function checkProxies({ env }: CommandEnvironment): readonly Observation[] {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];
  const set = names.filter((name) => (env[name] ?? "") !== "");
  const except = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  // As in src/core/http/node-transport.ts, "*" counts only as the only entry.
  const isExcluded =
    except.trim() === "*" ||
    except.split(/[\s,]+/).some((host) => /^(localhost|127\..*)$/.test(host));
  if (set.length === 0 || isExcluded) return [];
  return warning(
    `${set.join(", ")} is set, and NO_PROXY does not exclude the loopback interface.`,
    "Add 127.0.0.1,localhost to NO_PROXY. Otherwise a local back end may be unreachable.",
  );
}

/** Variables for the development of providers, and their effect. */
const leftovers: Readonly<Record<string, string>> = {
  TF_REATTACH_PROVIDERS: "Terraform connects to a provider process that was started by hand",
  TF_DISABLE_PLUGIN_TLS: "Terraform connects to providers without TLS",
  TF_SKIP_PROVIDER_VERIFY: "Terraform does not verify providers",
  TF_PLUGIN_MAGIC_COOKIE:
    "a provider that is started by hand behaves as if Terraform had started it",
};

/** Finds variables that are left over from the development of providers. */
export const checkLeftovers = ({ env }: CommandEnvironment): readonly Observation[] =>
  Object.entries(leftovers)
    .filter(([name]) => (env[name] ?? "") !== "")
    .flatMap(([name, effect]) => warning(`${name} is set: ${effect}.`, `Unset ${name}.`));

/** A program must load one copy of each: TypeScript does not accept constructs of one copy in place of another's. */
const shared = ["constructs", "cdktf", "cdktn", "@trivet/constructs"] as const;

const maxPackages = 500;

/**
 * Finds second copies of the libraries, as in a workspace in which each package installs its own. With Yarn's Plug'n'Play,
 * there are no folders to search.
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
      `Install ${name} once, in the root of the workspace, and list it in the peerDependencies of the packages that ` +
        "others import.",
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
  const users: InstalledPackage[] = [
    { folder: await realpath(project), manifest: manifestIn(project) },
  ];
  const known = new Set<string>();
  for (const user of users) {
    if (known.has(user.folder) || known.size >= maxPackages) continue;
    known.add(user.folder);
    // The project can load what only the root of its workspace depends on.
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

/** Dependencies for development are left out: only the project itself installs them, and it does not load them. */
const dependencies = ({
  dependencies: own,
  peerDependencies: peers,
}: Properties): readonly string[] =>
  [own, peers].flatMap((list) => (isObject(list) ? Object.keys(list) : []));

/** They call the compiler API of TypeScript 5 and 6, which TypeScript 7 does not have. */
const compilerUsers = ["ts-node", "ts-jest"] as const;

/** Finds a TypeScript that is too new for ts-node or ts-jest. `cdktf init` installs one. */
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
    if (existsSync(join(found, "package.json"))) {
      return { folder: await realpath(found), manifest: manifestIn(found) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}
