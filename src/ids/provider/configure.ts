import type { ConfigOf } from "../../schema/infer";
import { parseDuration } from "../../schema/duration";
import { UNKNOWN, type Unknown } from "../../schema/unknown";
import {
  type ConfigureContext,
  IntentJournal,
  ProviderError,
  settingsNotKnownYet,
  stringSetting,
  unknownSettings,
} from "../../provider-kit";
import { isLoopbackHost } from "../../schema/loopback";
import { idsBaseUrl, parseBaseUrl } from "../client/base-url";
import { createIdsClient, type IdsClient } from "../client/client";
import { readCredentials } from "../client/credentials";
import { credentialsToken, staticToken, type TokenSource } from "../client/token-source";
import { idsProvider } from "./declare";

type Config = ConfigOf<typeof idsProvider>;

/**
 * The client that the provider's handlers receive: its defaults, the intent journal and the API
 * client.
 */
export interface Ids {
  readonly project: string | Unknown | undefined;
  /** The default location: the zone, else the region. */
  readonly location: string | Unknown | undefined;
  readonly journal: IntentJournal;
  readonly baseUrl: string;
  /**
   * Returns the API client. Creates it on first use.
   *
   * @throws ProviderError when a setting that requests need is unknown
   */
  client(): IdsClient;
}

/**
 * Creates the client from the settings.
 *
 * During a plan, an unknown setting causes an error only where it is needed. An invalid setting
 * causes an error immediately.
 */
export async function configure(config: Config, context: ConfigureContext): Promise<Ids> {
  const { env, log } = context;
  const region = stringSetting(idsProvider, "region", config, env);
  const baseUrl = usableBaseUrl(
    stringSetting(idsProvider, "cloudIdsCustomEndpoint", config, env) ?? idsBaseUrl,
  );
  const token = await tokenSource(config, context, baseUrl);
  const missing = unknownSettings(config, neededByRequests);
  let client: IdsClient | undefined;
  return {
    project: stringSetting(idsProvider, "project", config, env),
    location: stringSetting(idsProvider, "zone", config, env) ?? region,
    journal: new IntentJournal({ env, log }),
    baseUrl,
    client() {
      if (missing.length > 0) {
        throw settingsNotKnownYet(idsProvider, missing, { to: "call the service" });
      }
      client ??= createIdsClient({
        baseUrl,
        token,
        requestTimeoutMs: durationOf(config.requestTimeout),
        pollIntervalMs: durationOf(config.pollInterval),
        version: process.env["TRIVET_PROVIDER_VERSION"],
        log: (level, message, fields) => log[level](message, fields),
      });
      return client;
    },
  };
}

const neededByRequests = [
  "credentials",
  "accessToken",
  "requestTimeout",
  "pollInterval",
  "cloudIdsCustomEndpoint",
] as const;

function usableBaseUrl(setting: string | Unknown): string {
  if (setting === UNKNOWN) return idsBaseUrl;
  const parsed = parseBaseUrl(setting);
  if ("url" in parsed) return parsed.url;
  throw new ProviderError({
    summary: "Invalid Custom Endpoint",
    detail: `The base URL of the service ${parsed.problem}.`,
    path: ["cloudIdsCustomEndpoint"],
  });
}

async function tokenSource(
  config: Config,
  { env, log }: ConfigureContext,
  baseUrl: string,
): Promise<TokenSource | undefined> {
  // Either setting in the configuration takes precedence over both in the environment.
  const isInConfig = Boolean(config.accessToken) || Boolean(config.credentials);
  const environment = isInConfig ? {} : env;
  const accessToken = stringSetting(idsProvider, "accessToken", config, environment);
  const credentials = stringSetting(idsProvider, "credentials", config, environment);
  if (accessToken === UNKNOWN || credentials === UNKNOWN) return undefined;
  if (accessToken !== undefined) {
    log.redact(accessToken);
    return staticToken(accessToken);
  }
  if (credentials !== undefined) {
    const parsed = await readCredentials(credentials);
    if ("problem" in parsed) {
      throw new ProviderError({
        summary: "Invalid Credentials",
        detail: `The value of credentials ${parsed.problem}.`,
        path: ["credentials"],
      });
    }
    const isAccount = parsed.type === "service_account";
    const secrets = isAccount ? [parsed.privateKey] : [parsed.refreshToken, parsed.clientSecret];
    for (const secret of secrets) log.redact(secret);
    return credentialsToken(parsed);
  }
  // The local back end has no authentication.
  if (isLoopbackHost(new URL(baseUrl).hostname)) return undefined;
  if (config.cloudIdsCustomEndpoint === UNKNOWN) return undefined;
  throw new ProviderError({
    summary: "No Credentials",
    detail:
      "The ids provider has no credentials for the service. Set access_token (or " +
      "GOOGLE_OAUTH_ACCESS_TOKEN, for example to the output of `gcloud auth print-access-token`), or " +
      "credentials (or GOOGLE_CREDENTIALS) to the path or the JSON content of a key file.",
  });
}

function durationOf(value: string | Unknown | null): number | undefined {
  return typeof value === "string" ? parseDuration(value) : undefined;
}
