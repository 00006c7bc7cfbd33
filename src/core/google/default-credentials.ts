import { homedir } from "node:os";
import { join } from "node:path";
import { readSmallFile } from "../process/files";
import { requestAccessToken } from "./access-token";
import { type Credentials, googleUniverse } from "./credentials";
import { googleError, isGoogleError } from "./google-error";
import { readCredentialsFile } from "./read-credentials";
import type { AccessToken, TokenServices } from "./token-request";

/** The file in which Linux names the machine's maker. */
const machineFile = "/sys/class/dmi/id/product_name";

const fileVariable = "GOOGLE_APPLICATION_CREDENTIALS";

interface DefaultSearch {
  /**
   * Uses only the file that a variable names, and nothing else on the machine: for services on this machine,
   * which need no credentials.
   *
   * @default false
   */
  readonly isNamedOnly?: boolean | undefined;
  /** The file with the name of the machine's product. @default Linux's */
  readonly productFile?: string | undefined;
}

/**
 * Finds Google's application default credentials: the file that GOOGLE_APPLICATION_CREDENTIALS names, the one
 * that `gcloud auth application-default login` writes, or the machine's service account. Undefined if there
 * are none.
 *
 * @throws GoogleError if there are some that cannot be used: others would be somebody else's
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 */
export async function findDefaultCredentials(
  services: TokenServices,
  { isNamedOnly = false, productFile = machineFile }: DefaultSearch = {},
): Promise<Credentials | undefined> {
  const { env, trusted = {} } = services;
  const named = env[fileVariable] ?? "";
  if (named !== "") {
    const found = await readCredentialsFile(named, { name: fileVariable }, trusted);
    if (found !== undefined) return found;
    throw googleError(
      "FILE",
      `${fileVariable} names the file ${JSON.stringify(named)}, which does not exist; correct it, or unset it to use other credentials`,
    );
  }
  if (!isNamedOnly || isSet(env, "CLOUDSDK_CONFIG")) {
    const file = join(gcloudFolder(env), "application_default_credentials.json");
    const name = isSet(env, "CLOUDSDK_CONFIG")
      ? "the gcloud login in CLOUDSDK_CONFIG"
      : "the gcloud login";
    const found = await readCredentialsFile(file, { name }, trusted);
    if (found !== undefined) return found;
  }
  const { hasMetadataServer, isMetadataNamed, metadataOrigin } =
    await import("./metadata-server.js");
  if (isNamedOnly && !isMetadataNamed(env)) return undefined;
  // The file is absent or unreadable on many other machines.
  const product = await readSmallFile(productFile, 4_096).catch(() => undefined);
  if (!(await hasMetadataServer(services, product))) return undefined;
  return { type: "machine", origin: metadataOrigin(env), universeDomain: googleUniverse };
}

const isSet = (env: TokenServices["env"], name: string): boolean => (env[name] ?? "") !== "";

/**
 * Finds the project of credentials: the one in their file, else that of gcloud's configuration for a user who
 * has logged in there, else the machine's. Undefined without a project.
 */
export async function defaultProject(
  services: TokenServices,
  credentials: Credentials,
): Promise<string | undefined> {
  if (credentials.project !== undefined) return credentials.project;
  switch (credentials.type) {
    case "impersonated_service_account":
      return defaultProject(services, credentials.source);
    case "authorized_user":
    case "external_account_authorized_user":
      return gcloudProject(services.env);
    case "machine":
      return machineProject(services);
    default:
      return undefined;
  }
}

async function machineProject(services: TokenServices): Promise<string | undefined> {
  const { readMetadata } = await import("./metadata-server.js");
  try {
    const answer = await readMetadata(services, "project/project-id");
    const project = "absent" in answer ? "" : answer.body.toString("utf8").trim();
    return /^[a-z\d.:-]{1,100}$/.test(project) ? project : undefined;
  } catch (error) {
    // The error for a missing project says how to set it.
    if (isGoogleError(error) && error.code === "METADATA") return undefined;
    throw error;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const maxBytes = 100_000;

function gcloudFolder(env: Env): string {
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
async function gcloudProject(env: Env): Promise<string | undefined> {
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

/**
 * Gets an access token with the application default credentials; undefined if there are none.
 *
 * @throws GoogleError
 */
export async function defaultToken(
  services: TokenServices,
  search?: DefaultSearch,
): Promise<AccessToken | undefined> {
  const found = await findDefaultCredentials(services, search);
  return found && requestAccessToken(services, found);
}
