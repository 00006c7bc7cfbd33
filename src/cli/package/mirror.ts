import { join, resolve } from "node:path";
import type { CommandEnvironment } from "../invocation/command-environment";

/** Host and namespace of the providers' source addresses. The host does not exist, on purpose. */
export const providerHost = "trivet.local";
export const providerNamespace = "trivet";
/** Every provider of that host, as Terraform's CLI configuration writes it. */
export const providerPattern = `${providerHost}/*/*`;

export function providerSource(name: string): string {
  return `${providerHost}/${providerNamespace}/${name}`;
}

/** The folder in which a mirror keeps all versions of a provider. */
export function providerFolder(mirror: string, name: string): string {
  return join(mirror, providerHost, providerNamespace, name);
}

/** The user's plugin folder, where Terraform and OpenTofu look without any configuration. */
export function pluginFolder({ env, home, platform }: CommandEnvironment): string {
  return platform === "win32"
    ? join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "terraform.d", "plugins")
    : join(home, ".terraform.d", "plugins");
}

/** The mirror a command works on, as an absolute path: `--dir`, else the user's plugin folder. */
export function mirrorFolder(dir: string | undefined, around: CommandEnvironment): string {
  return dir === undefined ? pluginFolder(around) : resolve(around.workingFolder, dir);
}
