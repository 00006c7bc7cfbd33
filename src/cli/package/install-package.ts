import { chmod, cp, mkdir, mkdtemp, rename, rm, stat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../invocation/command-error";
import { type BuiltPackage, isDevelopmentVersion } from "./built-package";
import { providerFolder } from "./mirror";
import { mirrorError } from "./mirror-error";
import { packageHash } from "./package-hash";

/** The result of an installation. */
export interface Installation {
  /** The folder of the installed package. */
  readonly folder: string;
  readonly outcome: "installed" | "unchanged" | "replaced";
  /** Development versions that were removed from the mirror. */
  readonly removed: readonly string[];
}

/** Where and how to install. */
export interface InstallOptions {
  readonly mirror: string;
  /** Terraform's name of the platform, such as `linux_amd64`. */
  readonly platform: string;
  /** Replaces a release whose content differs. @default false */
  readonly force?: boolean;
}

/**
 * Installs a package atomically into an unpacked mirror: it is copied next to its destination and renamed.
 * A package with the same content is not changed.
 *
 * Different content under the same release version is refused, because lock files bind a version to its
 * checksum. A development version with different content was damaged, so it is replaced.
 *
 * @see https://developer.hashicorp.com/terraform/cli/config/config-file#filesystem_mirror
 * @throws CommandError if a release has different content and `force` is not set, or if the mirror cannot be
 * written
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
  const provider = providerFolder(mirror, built.name);
  const folder = join(provider, built.version, platform);
  const before = await hashIfPresent(folder);
  if (before !== undefined && before === (await packageHash(built.folder))) {
    return { folder, outcome: "unchanged", removed: [] };
  }
  if (before !== undefined && !force && !isDevelopmentVersion(built.version)) {
    throw new CommandError(
      `${folder} contains ${built.name} ${built.version} with different content than this build.`,
      "The checksums of stacks that were initialised with it would not match. Raise the version in package.json, " +
        "build without --release, or pass --force and run `terraform init -upgrade` in each stack.",
    );
  }
  await mkdir(join(provider, built.version), { recursive: true });
  const fresh = await mkdtemp(join(provider, ".installing-"));
  try {
    await copyPackage(built, join(fresh, "new"));
    if (before !== undefined) await rename(folder, join(fresh, "old"));
    await rename(join(fresh, "new"), folder).catch(async (cause: unknown) => {
      // Another installation may have been faster, with the same result.
      if ((await hashIfPresent(folder)) !== (await packageHash(built.folder))) throw cause;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  const removed = await removeOldVersions(provider, built.version);
  return { folder, outcome: before === undefined ? "installed" : "replaced", removed };
}

async function copyPackage(built: BuiltPackage, target: string): Promise<void> {
  await cp(built.folder, target, { recursive: true });
  await chmod(target, 0o755);
  // npm can be configured to drop file modes.
  await chmod(join(target, built.executable), 0o755);
}

async function hashIfPresent(folder: string): Promise<string | undefined> {
  const present = await stat(folder).catch(() => undefined);
  return present === undefined ? undefined : packageHash(folder);
}

/** A stack keeps a link to the version it was initialised with, so the last few are kept. */
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
