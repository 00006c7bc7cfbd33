import { homedir } from "node:os";
import { join } from "node:path";
import { readSmallFile } from "../process/files";
import { requestAccessToken } from "./access-token";
import { type Credentials, googleUniverse } from "./credentials";
import { googleError, isGoogleError } from "./google-error";
import { readCredentialsFile } from "./read-credentials";
import type { AccessToken, TokenServices } from "./token-request";

/** The file in which Linux has the name of the machine's model. */
const machineFile = "/sys/class/dmi/id/product_name";

const fileVariable = "GOOGLE_APPLICATION_CREDENTIALS";

interface DefaultSearch {
  /**
   * Uses only credentials that a variable selects, and nothing else on the machine: for services on this machine, which
   * need no credentials.
   *
   * @default false
   */
  readonly isNamedOnly?: boolean | undefined;
  /** The file with the name of the machine's model. @default Linux's */
  readonly productFile?: string | undefined;
}

/**
 * Finds Google's application default credentials: the file in GOOGLE_APPLICATION_CREDENTIALS, the one that
 * `gcloud auth application-default login` writes, or the machine's service account. Undefined if none of these exists.
 *
 * @throws GoogleError if credentials exist but cannot be used: the next ones could belong to somebody else
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 */
export async function findDefaultCredentials(
  services: TokenServices,
  { isNamedOnly = false, productFile = machineFile }: DefaultSearch = {},
): Promise<Credentials | undefined> {
  const { env, trusted = {} } = services;
  const { [fileVariable]: named = "", CLOUDSDK_CONFIG: gcloudConfig = "" } = env;
  if (named !== "") {
    const found = await readCredentialsFile(named, { name: fileVariable }, trusted);
    if (found !== undefined) return found;
    throw googleError(
      "FILE",
      `${fileVariable}: the file ${JSON.stringify(named)} does not exist; correct the path, or unset the variable to use other credentials`,
    );
  }
  if (!isNamedOnly || gcloudConfig !== "") {
    const file = join(gcloudFolder(env), "application_default_credentials.json");
    const name = `the gcloud login${gcloudConfig === "" ? "" : " in CLOUDSDK_CONFIG"}`;
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
    // The caller reports a missing project, and how to set it.
    if (isGoogleError(error) && error.code === "METADATA") return undefined;
    throw error;
  }
}

function gcloudFolder(env: TokenServices["env"]): string {
  const { CLOUDSDK_CONFIG: named = "", APPDATA: applications = "", HOME: home = "" } = env;
  if (named !== "") return named;
  if (process.platform === "win32" && applications !== "") return join(applications, "gcloud");
  return join(home || homedir(), ".config", "gcloud");
}

/**
 * The project of gcloud's active configuration (`gcloud config set project`), read from its file; undefined
 * without one.
 *
 * @see https://cloud.google.com/sdk/docs/configurations
 */
async function gcloudProject(env: TokenServices["env"]): Promise<string | undefined> {
  const folder = gcloudFolder(env);
  // gcloud is optional: a file that cannot be read is treated as absent.
  const read = (...path: readonly string[]) =>
    readSmallFile(join(folder, ...path), 100_000).catch(() => undefined);
  const active = env["CLOUDSDK_ACTIVE_CONFIG_NAME"] ?? (await read("active_config")) ?? "default";
  const name = active.trim();
  if (!/^[a-z][a-z\d-]*$/.test(name)) return undefined;
  const text = (await read("configurations", `config_${name}`)) ?? "";
  const [, core = ""] = /^\[core\][^\S\n]*$([^]*?)(?=^\[|(?![^]))/m.exec(text) ?? [];
  return /^project\s*=[^\S\n]*(\S+)[^\S\n]*$/m.exec(core)?.[1];
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
