import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDevelopmentVersion } from "./built-package";

/** A stack keeps a link to the version it was initialised with: the last few stay. */
const KEPT_DEVELOPMENT_VERSIONS = 5;

/** Removes all but the newest development versions of a provider from a mirror; releases stay. */
export async function removeOldVersions(
  provider: string,
  current: string,
): Promise<readonly string[]> {
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
