import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../invocation/command-environment";
import { hashIfPackage } from "../provider-package/package-content";
import { providerFolder, providerSource } from "../package/mirror";
import { type Check, type Examined, type Observation, ok, problem } from "./check";
import {
  type LockedProvider,
  lockedProviders,
  requiredProviders,
} from "../stack/required-providers";

/** Compares what this folder and cdktf's stacks require and lock with this package's providers. */
export const checkStacks: Check = async (examined) => {
  const observations: Observation[] = [];
  for (const folder of await stackFolders(examined.around.workingFolder)) {
    observations.push(...(await checkRequired(folder, examined)));
    const path = join(folder, ".terraform.lock.hcl");
    for (const locked of await lockedProviders(folder)) {
      observations.push(...[await checkLocked(path, locked, examined)].flat());
    }
  }
  return observations;
};

/** Returns the folders with configurations: this one, and those of cdktf's stacks. */
export async function stackFolders(workingFolder: string): Promise<string[]> {
  const stacks = join(workingFolder, "cdktf.out", "stacks");
  const names = await readdir(stacks).catch(() => []);
  return [workingFolder, ...names.sort().map((name) => join(stacks, name))];
}

/** Finds exact versions that the mirror does not have. Terraform decides about ranges. */
async function checkRequired(
  folder: string,
  { built, mirror, platform }: Examined,
): Promise<Observation[]> {
  const found = await Promise.all(
    (await requiredProviders(folder)).map(async ({ file, source, version }) => {
      const ours = built?.find(({ name }) => providerSource(name) === source);
      if (ours === undefined || !/^=?\s*\d+\.\d+\.\d+(-\S+)?$/.test(version)) return [];
      const exact = version.replace(/^=\s*/, "");
      const installed = join(providerFolder(mirror, ours.name), exact, platform);
      if (exact === ours.version || (await exists(installed))) return [];
      return problem(
        `${file} requires ${ours.name} ${exact}, which is not in ${mirror}. This package has ${ours.version}.`,
        file.endsWith(".json")
          ? "Synthesize the stack again."
          : `Write version = "${ours.version}" in required_providers.`,
      );
    }),
  );
  return found.flat();
}

async function checkLocked(
  path: string,
  { source, version, hashes }: LockedProvider,
  { built, mirror, platform }: Examined,
): Promise<Observation | []> {
  const ours = built?.find(({ name }) => providerSource(name) === source);
  if (ours === undefined) return [];
  const locked = `${path} locks ${ours.name} ${version}`;
  // Terraform itself says how to change the locked version.
  if (version !== ours.version) return [];
  const folder = join(providerFolder(mirror, ours.name), version, platform);
  // checkProviders reports providers that are not installed.
  if (!(await exists(folder))) return [];
  const h1 = hashes.filter((hash) => hash.startsWith("h1:"));
  const hash = await hashIfPackage(folder);
  return h1.length === 0 || (hash !== undefined && h1.includes(hash))
    ? ok(locked)
    : problem(
        `${locked} with a checksum that differs from the installed package: terraform would report ` +
          '"does not match any of the checksums recorded in the dependency lock file".',
        `Delete ${path} and run \`terraform init\` there; \`-upgrade\` alone keeps the old checksum.`,
      );
}
