import { chmod, cp, mkdir, mkdtemp, rename, rm, stat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../invocation/command-error";
import { type BuiltPackage, isDevelopmentVersion } from "./built-package";
import { providerFolder } from "./mirror";
import { packageHash } from "./package-hash";

export interface Installation {
  readonly folder: string;
  readonly outcome: "installed" | "unchanged" | "replaced";
  /** Development versions that were removed from the mirror. */
  readonly removed: readonly string[];
}

export interface InstallOptions {
  readonly mirror: string;
  /** In Terraform's words, such as `linux_amd64`. */
  readonly platform: string;
  /** Replaces a release whose bytes differ. @default false */
  readonly force?: boolean;
}

/**
 * Puts a package into an unpacked mirror, whole or not at all: it is copied beside its place and
 * renamed. The same bytes are left alone.
 *
 * Other bytes under the same release version are refused, because lock files bind a version to its
 * bytes. A development version cannot have other bytes unless its folder was damaged: it is replaced.
 */
export async function installPackage(
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
      `${folder} holds ${built.name} ${built.version} with other bytes than this build.`,
      "Stacks initialised with it would fail their checksum. Raise the version in package.json, " +
        "build without --release, or pass --force and run `terraform init -upgrade` in each stack.",
    );
  }
  await mkdir(join(provider, built.version), { recursive: true });
  const fresh = await mkdtemp(join(provider, ".installing-"));
  try {
    await copyPackage(built, join(fresh, "new"));
    if (before !== undefined) await rename(folder, join(fresh, "old"));
    await rename(join(fresh, "new"), folder).catch(async (cause: unknown) => {
      // Another installation may have been faster; what counts is what stands there now.
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
  // npm may have been told to drop the mode of files.
  await chmod(join(target, built.executable), 0o755);
}

async function hashIfPresent(folder: string): Promise<string | undefined> {
  const present = await stat(folder).catch(() => undefined);
  return present === undefined ? undefined : packageHash(folder);
}

/** A stack keeps a link to the version it was initialised with: the last few stay. */
const KEPT_DEVELOPMENT_VERSIONS = 5;

/** Removes all but the newest development versions of a provider from a mirror; releases stay. */
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
    .slice(KEPT_DEVELOPMENT_VERSIONS - 1)
    .map(({ version }) => version);
  for (const version of old) await rm(join(provider, version), { recursive: true, force: true });
  return old;
}
