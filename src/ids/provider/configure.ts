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

/** What the handlers of the provider work with. */
export interface Ids {
  readonly project: string | Unknown | undefined;
  /** The zone, else the region. */
  readonly location: string | Unknown | undefined;
  readonly journal: IntentJournal;
  readonly baseUrl: string;
  /** @throws ProviderError while a setting that requests need is unknown */
  client(): IdsClient;
}

/**
 * Makes the client from the settings.
 *
 * A setting that is unknown while planning fails only what needs it; a wrong one fails at once.
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
        throw settingsNotKnownYet(idsProvider, missing, { to: "ask the service" });
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

function usableBaseUrl(text: string | Unknown): string {
  if (text === UNKNOWN) return idsBaseUrl;
  const parsed = parseBaseUrl(text);
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
  // What the configuration says goes before the environment, whichever of the two it is.
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
  // The local back end knows no users.
  if (isLoopbackHost(new URL(baseUrl).hostname)) return undefined;
  if (config.cloudIdsCustomEndpoint === UNKNOWN) return undefined;
  throw new ProviderError({
    summary: "No Credentials",
    detail:
      "The ids provider has no credentials for the service. Set access_token (or " +
      "GOOGLE_OAUTH_ACCESS_TOKEN, for example to the output of `gcloud auth print-access-token`), or " +
      "credentials (or GOOGLE_CREDENTIALS) to a key file or its JSON text.",
  });
}

function durationOf(value: string | Unknown | null): number | undefined {
  return typeof value === "string" ? parseDuration(value) : undefined;
}
