import { lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  contentHash,
  hashIfPackage,
  readPackage,
  isPackageContentError,
} from "../provider-package/package-content";
import { writePackage } from "../provider-package/provider-package";
import { CommandError } from "../invocation/failure";
import {
  type BuiltPackage,
  isDevelopmentVersion,
  addressPartRule,
  isAddressPart,
  isProviderVersion,
} from "./built-package";
import { providerFolder, mirrorError } from "./mirror";
import { checkedPlatform } from "./platform";

export interface Installation {
  /** The folder of the installed package. */
  readonly folder: string;
  readonly outcome: "installed" | "unchanged" | "replaced";
  /** Development versions that were removed from the mirror. */
  readonly removed: readonly string[];
}

/** The target and the options of an installation. */
interface InstallOptions {
  readonly mirror: string;
  /** Terraform's name of the platform, such as `linux_amd64`. */
  readonly platform: string;
  /** Replaces a release whose content differs. @default false */
  readonly force?: boolean;
}

/**
 * Installs a package atomically into an unpacked mirror: writes it next to its destination, and renames it. Leaves a package
 * with the same content unchanged, and writes nothing outside of the mirror.
 *
 * Refuses different content under the same release version, because lock files bind a version to its checksum. Replaces a
 * development version with different content, which must have been damaged.
 *
 * @see https://developer.hashicorp.com/terraform/cli/config/config-file#filesystem_mirror
 * @throws CommandError if the package's name, version, platform or content is not that of a provider, if a
 * release has different content and `force` is not set, or if the mirror cannot be written
 */
export async function installPackage(
  built: BuiltPackage,
  options: InstallOptions,
): Promise<Installation> {
  try {
    return await install(built, options);
  } catch (failure) {
    throw await mirrorError(options.mirror, failure);
  }
}

async function install(
  built: BuiltPackage,
  { mirror, platform, force = false }: InstallOptions,
): Promise<Installation> {
  refuseOtherNames(built);
  const provider = providerFolder(mirror, built.name);
  const folder = join(provider, built.version, checkedPlatform(platform));
  const files = await filesOf(built);
  const hash = contentHash(files);
  const isPresent = (await lstat(folder).catch(() => undefined)) !== undefined;
  if (isPresent && (await hashIfPackage(folder)) === hash) {
    return { folder, outcome: "unchanged", removed: [] };
  }
  if (isPresent && !force && !isDevelopmentVersion(built.version)) {
    throw new CommandError(
      `${folder} contains ${built.name} ${built.version} with different content than this build.`,
      "The checksums of stacks that were initialised with it would not match. Raise the version in package.json, " +
        "build without --release, or pass --force and run `terraform init -upgrade` in each stack.",
    );
  }
  await mkdir(join(provider, built.version), { recursive: true });
  const fresh = await mkdtemp(join(provider, ".installing-"));
  try {
    await writePackage(join(fresh, "new"), { files, executable: built.executable });
    if (isPresent) await rename(folder, join(fresh, "old"));
    await rename(join(fresh, "new"), folder).catch(async (cause: unknown) => {
      // Another installation may have been faster.
      if ((await hashIfPackage(folder)) !== hash) throw cause;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  const removed = await removeOldVersions(provider, built.version);
  return { folder, outcome: isPresent ? "replaced" : "installed", removed };
}

/** Refuses names that are unsafe in a path. */
function refuseOtherNames({ name, version }: BuiltPackage): void {
  if (isAddressPart(name) && isProviderVersion(version)) return;
  throw new CommandError(
    `The package to install has the name ${JSON.stringify(name)} and the version ${JSON.stringify(version)}, which no ` +
      "provider can have.",
    `A name is ${addressPartRule}. A version is MAJOR.MINOR.PATCH, such as 1.2.0. Install trivet again, for example ` +
      "with `npm ci`.",
  );
}

async function filesOf({
  name,
  folder,
  executable,
}: BuiltPackage): Promise<ReadonlyMap<string, Buffer>> {
  const problem = (what: string, cause?: unknown): CommandError =>
    new CommandError(
      `The package of ${name} cannot be installed: ${what}.`,
      "Install trivet again, for example with `npm ci`. If that does not help, do not use it, and report it.",
      undefined,
      { cause },
    );
  const files = await readPackage(folder).catch((cause: unknown) => {
    throw isPackageContentError(cause) ? problem(cause.message, cause) : cause;
  });
  if (files.has(executable)) return files;
  throw problem(`${folder} contains no file ${JSON.stringify(executable)}`);
}

/** Stacks keep links to the versions with which they were initialised, so the last few are kept. */
const keptDevelopmentVersions = 5;

/** Removes all but the newest development versions of a provider from a mirror. Releases are kept. */
async function removeOldVersions(provider: string, current: string): Promise<readonly string[]> {
  const versions = (await readdir(provider)).filter(
    (version) => isDevelopmentVersion(version) && version !== current,
  );
  const dated = await Promise.all(
    versions.map(async (version) => ({
      version,
      changed: (await stat(join(provider, version))).mtimeMs,
    })),
  );
  const old = dated
    .sort((a, b) => b.changed - a.changed)
    .slice(keptDevelopmentVersions - 1)
    .map(({ version }) => version);
  for (const version of old) await rm(join(provider, version), { recursive: true, force: true });
  return old;
}
