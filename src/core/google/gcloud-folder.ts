import { homedir } from "node:os";
import { join } from "node:path";
import { readSmallFile } from "../process/small-file";

type Env = Readonly<Record<string, string | undefined>>;

const maxBytes = 100_000;

/** The folder in which gcloud keeps its configuration. */
export function gcloudFolder(env: Env): string {
  const value = (name: string): string | undefined => (env[name] === "" ? undefined : env[name]);
  const named = value("CLOUDSDK_CONFIG");
  if (named !== undefined) return named;
  const applications = process.platform === "win32" ? value("APPDATA") : undefined;
  if (applications !== undefined) return join(applications, "gcloud");
  return join(value("HOME") ?? homedir(), ".config", "gcloud");
}

/**
 * The project of gcloud's active configuration (`gcloud config set project`), read from its file; undefined
 * without one.
 *
 * @see https://cloud.google.com/sdk/docs/configurations
 */
export async function gcloudProject(env: Env): Promise<string | undefined> {
  const folder = gcloudFolder(env);
  // gcloud is not necessary: what cannot be read does not exist.
  const read = (...path: readonly string[]) =>
    readSmallFile(join(folder, ...path), maxBytes).catch(() => undefined);
  const active = env["CLOUDSDK_ACTIVE_CONFIG_NAME"] ?? (await read("active_config")) ?? "default";
  const name = active.trim();
  if (!/^[a-z][a-z\d-]*$/.test(name)) return undefined;
  const text = (await read("configurations", `config_${name}`)) ?? "";
  const [, core = ""] = /^\[core\][^\S\n]*$([^]*?)(?=^\[|(?![^]))/m.exec(text) ?? [];
  const project = /^project\s*=[^\S\n]*(\S+)[^\S\n]*$/m.exec(core)?.[1];
  return project;
}
