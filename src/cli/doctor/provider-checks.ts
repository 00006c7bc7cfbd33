import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { providerSource } from "../../core/construct/product/product";
import { exists } from "../invocation/command-environment";
import type { BuiltPackage } from "../package/built-package";
import { providerFolder, stackMirror } from "../package/mirror";
import { hashIfPackage } from "../provider-package/package-content";
import {
  type LockedProvider,
  lockedProviders,
  requiredProviders,
} from "../stack/required-providers";
import {
  type Check,
  type Examined,
  type Observation,
  ok,
  problem,
  isSupportedNode,
} from "./tool-checks";

/** Finds providers that are not built, not installed, outdated or unable to start. */
export const checkProviders: Check = async (examined) => {
  const { built, around } = examined;
  if (built === undefined) {
    return problem(
      "The providers are not built.",
      "Run `npm run build` in the checkout, or reinstall the package.",
    );
  }
  const folders = await stackFolders(around.workingFolder);
  const required = (await Promise.all(folders.map(requiredProviders))).flat();
  return await Promise.all(
    built.map((provider) => {
      const source = providerSource(provider.name);
      const isNeeded = required.some((each) => each.source === source);
      return checkProvider(provider, examined, isNeeded);
    }),
  );
};

async function checkProvider(
  { name, version, folder, executable }: BuiltPackage,
  { around, mirror, platform, nodeVersion, run }: Examined,
  isNeeded: boolean,
): Promise<Observation> {
  const installed = join(providerFolder(mirror, name), version, platform);
  if (!(await exists(installed))) {
    if (!isNeeded) {
      return ok(
        `${name} ${version} is not installed, and no synthesized stack requires it; ` +
          "`trivet plan` and `trivet deploy` install what a stack requires",
      );
    }
    const forStacks = join(providerFolder(stackMirror(around), name), version, platform);
    if (await exists(forStacks)) {
      return ok(
        `${name} ${version} is installed for \`trivet plan\` and \`trivet deploy\`; other commands find it with ` +
          "`trivet exec`, or after `trivet install`",
      );
    }
    return problem(
      `${name} ${version} is not installed in ${mirror}. Terraform would say "could not query ` +
        `provider registry for ${providerSource(name)}", because that host does not exist.`,
      "Run `trivet install`, or run the command through `trivet exec -- …`.",
    );
  }
  const hash = await hashIfPackage(folder);
  if (hash === undefined || (await hashIfPackage(installed)) !== hash) {
    return problem(
      `${name} ${version} in ${mirror} is not this build.`,
      "Run `trivet install --force`, then delete the stacks' .terraform.lock.hcl.",
    );
  }
  // checkNode reports it, with the cure.
  if (!isSupportedNode(nodeVersion)) return ok(`${name} ${version} is installed (${installed})`);
  const started = await run(join(installed, executable), ["--version"]);
  if (started.kind === "ended" && started.ok) {
    return ok(`${name} ${version} is installed and starts (${installed})`);
  }
  const output =
    started.kind === "ended"
      ? `${started.stdout}${started.stderr}`.trim().slice(0, 300)
      : "it is missing";
  return problem(
    `${name} ${version} does not start: ${output}`,
    `Check that ${join(installed, executable)} is executable and that node is on PATH.`,
  );
}

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
async function stackFolders(workingFolder: string): Promise<string[]> {
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
