import { join } from "node:path";
import { parsedJson, propertiesOf } from "../../core/json/plain-json";
import { exists } from "../invocation/command-environment";
import { terraformPlatform } from "../package/platform";
import {
  isLockedFor,
  type LockedProvider,
  lockedProviders,
  requiredProviders,
} from "../stack/required-providers";
import { cliConfiguration, dataFolder, isOverridden } from "../warm/locked-package";

/**
 * Checks whether `terraform init` has prepared a folder for its configuration: providers of the required
 * versions are locked and installed, the backend and modules are set up.
 *
 * This saves a command if nothing has changed. Terraform later reports changes that this check misses, such
 * as other settings of the backend.
 *
 * @param hasModules true if the configuration uses modules
 */
export async function isInitialized(
  folder: string,
  hasModules: boolean,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const data = dataFolder(folder, env);
  const locked = await lockedProviders(folder);
  const configuration = await cliConfiguration(env);
  const attached = propertiesOf(parsedJson(env["TF_REATTACH_PROVIDERS"] ?? ""));
  const needed = [
    // cdktf always configures a backend.
    exists(join(data, "terraform.tfstate")),
    ...(hasModules ? [exists(join(data, "modules", "modules.json"))] : []),
    ...(await requiredProviders(folder))
      .filter(({ source }) => !isBuiltIn(source) && !isOverridden(source, configuration))
      .filter(({ source }) => !(source in attached))
      .map(async ({ source, version }) => {
        const found = locked.find((each) => isSame(each.source, source));
        return (
          found !== undefined && isLockedFor(version, found) && (await isInstalled(found, data))
        );
      }),
  ];
  return (await Promise.all(needed)).every((isMet) => isMet);
}

const isBuiltIn = (source: string): boolean => source.startsWith("terraform.io/builtin/");

/** Compares source addresses. One without a host belongs to the registry of the tool. */
const isSame = (locked: string, required: string): boolean =>
  locked === required || locked.endsWith(`/${required}`);

const isInstalled = ({ source, version }: LockedProvider, data: string): Promise<boolean> =>
  exists(join(data, "providers", source, version, terraformPlatform()));
