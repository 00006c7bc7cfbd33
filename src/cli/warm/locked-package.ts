import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { blocksIn } from "../../core/hcl/configuration-blocks";
import { hashIfPackage } from "../provider-package/package-content";
import { providerHost } from "../package/mirror";
import { terraformPlatform } from "../package/platform";
import {
  isLockedFor,
  type LockedProvider,
  lockedProviders,
  requiredProviders,
} from "../stack/required-providers";

/** A package that Terraform would start in a folder. */
export interface LockedPackage {
  /** The last part of the source address, such as `ids`. */
  readonly name: string;
  readonly source: string;
  /** The package's folder, without links. */
  readonly folder: string;
  readonly executable: string;
  readonly hashes: readonly string[];
}

/**
 * Returns the packages of our providers that Terraform would start in a folder: locked and installed by
 * `terraform init`, in a version that the configuration requires.
 *
 * Leaves out packages that Terraform would refuse, or that `dev_overrides` replace: Terraform then decides itself, and
 * explains the problem.
 */
export async function lockedPackages(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly LockedPackage[]> {
  const all = await lockedProviders(folder);
  const locked = all.filter(({ source }) => source.startsWith(`${providerHost}/`));
  if (locked.length === 0) return [];
  const required = await requiredProviders(folder);
  const configuration = await cliConfiguration(env);
  const usable = locked.filter(
    (provider) =>
      !isOverridden(provider.source, configuration) &&
      required.every(
        ({ source, version }) => source !== provider.source || isLockedFor(version, provider),
      ),
  );
  const data = dataFolder(folder, env);
  const found = await Promise.all(usable.map((provider) => packageOf(provider, data)));
  return found.filter((each) => each !== undefined);
}

/**
 * Checks whether a package is the locked one, as Terraform does whenever it starts a package. Packages with links and special
 * files, which ours never contain, are left to Terraform.
 */
export async function isIntact({ folder, hashes }: LockedPackage): Promise<boolean> {
  const hash = await hashIfPackage(folder);
  return hash !== undefined && (hashes.length === 0 || hashes.includes(hash));
}

async function packageOf(
  { source, version, hashes }: LockedProvider,
  data: string,
): Promise<LockedPackage | undefined> {
  const name = source.slice(source.lastIndexOf("/") + 1);
  try {
    const folder = await realpath(join(data, "providers", source, version, terraformPlatform()));
    const executable = join(folder, `terraform-provider-${name}_v${version}`);
    await stat(executable);
    return { name, source, folder, executable, hashes };
  } catch {
    return undefined;
  }
}

/** Returns the folder in which `terraform init` keeps its results. */
export function dataFolder(folder: string, env: NodeJS.ProcessEnv): string {
  const { TF_DATA_DIR: data = "" } = env;
  return resolve(folder, data === "" ? ".terraform" : data);
}

/** Returns the user's CLI configuration; empty without one. */
export const cliConfiguration = async (env: NodeJS.ProcessEnv): Promise<string> =>
  await readFile(env["TF_CLI_CONFIG_FILE"] ?? "", "utf8").catch(() => "");

/** Checks whether `dev_overrides` of a CLI configuration replace a provider. */
export function isOverridden(source: string, configuration: string): boolean {
  const installation = blocksIn(configuration).find(({ name }) => name === "provider_installation");
  return (
    installation !== undefined &&
    blocksIn(configuration, installation).some(
      ({ name, start, end }) =>
        name === "dev_overrides" && configuration.slice(start, end).includes(`"${source}"`),
    )
  );
}
