import { join, resolve } from "node:path";
import type { Surroundings } from "../invocation/surroundings";

/** Host and namespace of the providers' source addresses. The host does not exist, on purpose. */
export const PROVIDER_HOST = "trivet.local";
export const PROVIDER_NAMESPACE = "trivet";
/** Every provider of that host, as Terraform's CLI configuration writes it. */
export const PROVIDER_PATTERN = `${PROVIDER_HOST}/*/*`;

export function providerSource(name: string): string {
  return `${PROVIDER_HOST}/${PROVIDER_NAMESPACE}/${name}`;
}

/** The folder in which a mirror keeps all versions of a provider. */
export function providerFolder(mirror: string, name: string): string {
  return join(mirror, PROVIDER_HOST, PROVIDER_NAMESPACE, name);
}

/** The user's plugin folder, where Terraform and OpenTofu look without any configuration. */
export function pluginFolder({ env, home, platform }: Surroundings): string {
  return platform === "win32"
    ? join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "terraform.d", "plugins")
    : join(home, ".terraform.d", "plugins");
}

/** The mirror a command works on, as an absolute path: `--dir`, else the user's plugin folder. */
export function mirrorFolder(dir: string | undefined, around: Surroundings): string {
  return dir === undefined ? pluginFolder(around) : resolve(around.workingFolder, dir);
}
