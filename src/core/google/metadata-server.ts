import { isEnd } from "../failure/failure";
import { isHttpError } from "../http/http-error";
import { noRetry, retryPolicy } from "../http/retry";
import type { HttpResponse } from "../http/client";
import { quoteRefusal } from "../http/service-call";
import { isGoogleError, googleError, type GoogleError } from "./google-error";
import {
  type AccessToken,
  cloudPlatformScope,
  sendForToken,
  tokenOf,
  type TokenServices,
} from "./token-request";

type Env = TokenServices["env"];

const service = "the metadata server";
const defaultHost = "169.254.169.254";
/** The variables that select another server. The first one that is set is used. */
const hostVariables = ["GCE_METADATA_IP", "GCE_METADATA_HOST"] as const;

// The server is on the same machine: one that does not respond at once does not exist.
const attemptMs = 3_000;

/** Why the metadata server has no value. */
interface NoMetadata {
  readonly absent:
    | "no server"
    /** A server that does not say that it is Google's. */
    | "stranger"
    /** The server has no such value: the machine has no service account. */
    | "no value";
}

/** The metadata server in messages, with the variable that sets its host. */
export function metadataOrigin(env: Env): string {
  const { host, variable } = hostOf(env);
  return `Google's metadata server ${host}${variable === undefined ? "" : ` (${variable})`}`;
}

/**
 * Reads a value of the metadata server, such as `instance/service-accounts/default/token`.
 *
 * @throws GoogleError if the server refuses, or a variable is invalid
 * @see https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
export async function readMetadata(
  services: TokenServices,
  path: string,
  { isCertain = true }: { readonly isCertain?: boolean } = {},
): Promise<HttpResponse | NoMetadata> {
  const { env } = services;
  const origin = metadataOrigin(env);
  let answer: HttpResponse;
  try {
    answer = await sendForToken(services, {
      service,
      origin,
      method: "GET",
      secrets: [],
      attemptMs,
      url: new URL(`http://${hostOf(env).host}/computeMetadata/v1/${path}`),
      headers: { "metadata-flavor": "Google" },
      retry: isCertain ? retryPolicy({ statuses: [500, 502, 503] }) : noRetry,
    });
  } catch (error) {
    if (isHttpError(error) && !isEnd(error)) return { absent: "no server" };
    throw error;
  }
  if (answer.headers["metadata-flavor"] !== "Google") return { absent: "stranger" };
  if (answer.status === 404) return { absent: "no value" };
  if (answer.status === 200) return answer;
  throw googleError("METADATA", `${origin} responded with ${quoteRefusal(answer, [])}`);
}

/**
 * Gets a token of the machine's default service account.
 *
 * @throws GoogleError
 */
export async function machineToken(services: TokenServices): Promise<AccessToken> {
  const query = new URLSearchParams({ scopes: cloudPlatformScope }).toString();
  const path = `instance/service-accounts/default/token?${query}`;
  const answer = await readMetadata(services, path);
  if ("absent" in answer) throw absent(answer, services.env);
  const token = tokenOf(services, answer.body);
  if (token !== undefined) return token;
  throw googleError("METADATA", `${metadataOrigin(services.env)} did not return a token`);
}

function absent({ absent: why }: NoMetadata, env: Env): GoogleError {
  const origin = metadataOrigin(env);
  const { variable } = hostOf(env);
  const unset = variable === undefined ? "" : `, or unset ${variable}`;
  const problems = {
    "no server": `${origin} did not respond within ${attemptMs / 1000} seconds; check the machine's network${unset}`,
    stranger: `${origin} did not respond with the header Metadata-Flavor: Google, so it is not Google's and its token was not used; use another network${unset}`,
    "no value": `${origin} has no token: attach a service account to the machine`,
  };
  return googleError(why === "no value" ? "NO_SERVICE_ACCOUNT" : "METADATA", problems[why]);
}

/** Checks whether a variable selects a metadata server, or says that one exists. */
export const isMetadataNamed = (env: Env): boolean =>
  hostVariables.some((name) => (env[name] ?? "") !== "") ||
  env["METADATA_SERVER_DETECTION"] === "assume-present";

/**
 * Checks whether a metadata server exists. Sends a request only if the machine is not known to be Google's.
 *
 * METADATA_SERVER_DETECTION decides, as in Google's libraries: `assume-present`, `none`, `bios-only`
 * or `ping-only`.
 *
 * @param product the maker's name of the machine
 * @throws GoogleError `SETTING`
 */
export async function hasMetadataServer(
  services: TokenServices,
  product: string | undefined,
): Promise<boolean> {
  const { env } = services;
  const detection = (env["METADATA_SERVER_DETECTION"] ?? "").trim().toLowerCase();
  if (detection === "none") return false;
  if (detection === "assume-present") return true;
  if (!["", "bios-only", "ping-only"].includes(detection)) {
    throw googleError(
      "SETTING",
      `METADATA_SERVER_DETECTION must be assume-present, none, bios-only or ping-only (got ${JSON.stringify(detection)})`,
    );
  }
  if (detection !== "ping-only" && isGoogles(env, product)) return true;
  if (detection === "bios-only") return false;
  // A user who has set a server wants an error about it, not another source of credentials.
  if (hostOf(env).variable !== undefined) return true;
  const answer = await readMetadata(services, "instance", { isCertain: false }).catch(
    (error: unknown) => {
      if (isGoogleError(error) && error.code === "METADATA") return undefined;
      throw error;
    },
  );
  return answer !== undefined && !("absent" in answer && answer.absent !== "no value");
}

/** Google's serverless platforms set these variables. */
function isGoogles(env: Env, product: string | undefined): boolean {
  const platform = ["CLOUD_RUN_JOB", "FUNCTION_NAME", "K_SERVICE"].some(
    (name) => (env[name] ?? "") !== "",
  );
  return platform || /^Google(?: Compute Engine)?\s*$/.test(product ?? "");
}

function hostOf(env: Env): { readonly host: string; readonly variable?: string } {
  const variable = hostVariables.find((name) => (env[name] ?? "") !== "");
  const host = (variable === undefined ? undefined : env[variable]) ?? defaultHost;
  if (variable === undefined) return { host };
  if (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}/`)) return { host, variable };
  throw googleError("SETTING", `${variable} must be a host, with a port if needed`);
}
