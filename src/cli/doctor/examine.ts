import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { providerSource } from "../../core/construct/product/product";
import { type CommandEnvironment, exists } from "../invocation/command-environment";
import type { BuiltPackage } from "../package/built-package";
import { providerFolder, stackMirror } from "../package/mirror";
import { terraformPlatform } from "../package/platform";
import { hashIfPackage } from "../provider-package/package-content";
import { lockedProviders, requiredProviders } from "../stack/required-providers";
import {
  checkConfiguration,
  checkCopies,
  checkLeftovers,
  checkProxies,
  checkTypeScript,
  type Observation,
} from "./checks";

/**
 * Runs all checks. Their order is that of the report.
 *
 * @param mirror an absolute path
 */
export async function examine(
  around: CommandEnvironment,
  mirror: string,
  built: readonly BuiltPackage[],
): Promise<readonly Observation[]> {
  const found = await Promise.all([
    checkTypeScript(around),
    checkCopies(around),
    checkStacks(around, mirror, built),
    checkConfiguration(around),
  ]);
  return [...found.flat(), ...checkProxies(around), ...checkLeftovers(around)];
}

export const describe = (observations: readonly Observation[]): string =>
  observations
    .map(({ status, message, fix }) => `${status}  ${message}\n${" ".repeat(9)}→ ${fix}`)
    .join("\n");

/** Compares what the configurations here require and lock with what is installed. */
async function checkStacks(
  around: CommandEnvironment,
  mirror: string,
  built: readonly BuiltPackage[],
): Promise<readonly Observation[]> {
  const stacks = join(around.workingFolder, "cdktf.out", "stacks");
  const names = await readdir(stacks).catch(() => []);
  const folders = [around.workingFolder, ...names.sort().map((name) => join(stacks, name))];
  const found = await Promise.all(
    folders.flatMap((folder) =>
      built.flatMap((provider) => [
        checkRequired(folder, provider, mirror, stackMirror(around)),
        checkLocked(folder, provider, mirror),
      ]),
    ),
  );
  // Several stacks can need the same provider.
  return [...new Map(found.flat().map((each) => [each.message, each])).values()];
}

const problem = (message: string, fix: string): readonly Observation[] => [
  { status: "problem", message, fix },
];

const packageIn = (mirror: string, name: string, version: string): string =>
  join(providerFolder(mirror, name), version, terraformPlatform());

/** Finds a required provider that Terraform does not find. Terraform decides about ranges of versions. */
async function checkRequired(
  folder: string,
  { name, version }: BuiltPackage,
  mirror: string,
  onlyForStacks: string,
): Promise<readonly Observation[]> {
  const source = providerSource(name);
  const required = (await requiredProviders(folder)).find((each) => each.source === source);
  if (required === undefined) return [];
  const exact = /^=?\s*(\d+\.\d+\.\d+(?:-\S+)?)$/.exec(required.version)?.[1] ?? version;
  if (await exists(packageIn(mirror, name, exact))) return [];
  if (exact !== version) {
    return problem(
      `${required.file} requires ${name} ${exact}, which is not in ${mirror}. This package has ${version}.`,
      required.file.endsWith(".json")
        ? "Synthesize the stack again."
        : `Write version = "${version}" in required_providers.`,
    );
  }
  if (await exists(packageIn(onlyForStacks, name, version))) return [];
  return problem(
    `${name} ${version} is not installed in ${mirror}. Terraform would report "could not query provider registry for ` +
      `${source}", because that host does not exist.`,
    "Run `trivet install`, or run the command through `trivet exec -- …`.",
  );
}

/** Finds a lock file with another checksum than that of the installed package. */
async function checkLocked(
  folder: string,
  { name, version }: BuiltPackage,
  mirror: string,
): Promise<readonly Observation[]> {
  const locked = (await lockedProviders(folder)).find(
    (each) => each.source === providerSource(name) && each.version === version,
  );
  const h1 = locked?.hashes.filter((hash) => hash.startsWith("h1:")) ?? [];
  const installed = packageIn(mirror, name, version);
  if (h1.length === 0 || !(await exists(installed))) return [];
  const hash = await hashIfPackage(installed);
  if (hash !== undefined && h1.includes(hash)) return [];
  const path = join(folder, ".terraform.lock.hcl");
  return problem(
    `${path} locks ${name} ${version} with a checksum that differs from the installed package. Terraform would report ` +
      '"does not match any of the checksums recorded in the dependency lock file".',
    `Delete ${path} and run \`terraform init\` there; \`-upgrade\` alone keeps the old checksum.`,
  );
}
