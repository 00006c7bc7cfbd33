import { join } from "node:path";
import { readSmallFile } from "../process/small-file";
import { type Credentials, googleUniverse } from "./credentials";
import { GoogleError } from "./google-error";
import { gcloudFolder } from "./gcloud-folder";
import { readCredentialsFile } from "./read-credentials";
import type { TokenServices } from "./token-request";

/** The file in which Linux names the machine's maker. */
const machineFile = "/sys/class/dmi/id/product_name";

/** The variable that names a file of credentials. */
const fileVariable = "GOOGLE_APPLICATION_CREDENTIALS";

/** The options of a search. */
export interface DefaultSearch {
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
    throw new GoogleError(
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
