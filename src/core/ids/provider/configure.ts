import { isAbsolute } from "node:path";
import type { Credentials } from "../../google/credentials";
import { systemClock } from "../../http/call-context";
import { lazyTransport } from "../../http/client";
import {
  booleanSetting,
  type ConfigOf,
  type ConfigureContext,
  type Environment,
  findSetting,
  IntentJournal,
  ProviderError,
  settingsNotKnownYet,
  stringSetting,
  UNKNOWN,
  unknownSettings,
} from "../../provider-kit";
import { parseDuration, isLoopbackHost, type Unknown } from "../../schema";
import { createIdsClient, type IdsClient, parseBaseUrl, standardBaseUrl } from "../client/client";
import type { UserProject } from "../client/rest-call";
import { credentialsToken, tokenServices } from "../client/token-source";
import { credentialSettings, findCredentials, universeOf } from "./credentials";
import { idsProvider, requestReasonPattern } from "./declare";

type Config = ConfigOf<typeof idsProvider>;

/**
 * The client that the provider's handlers receive: its defaults, the intent journal and the API
 * client.
 */
export interface Ids {
  readonly project: string | Unknown | undefined;
  /**
   * Finds the project of the credentials, for endpoints that set no other; undefined if the credentials have
   * no project.
   */
  credentialsProject(signal: AbortSignal): Promise<string | Unknown | undefined>;
  /** The default location: the zone, else the region. */
  readonly location: string | Unknown | undefined;
  readonly journal: IntentJournal;
  readonly baseUrl: string;
  /** The API client. Every call throws a ProviderError while a setting that requests need is unknown. */
  readonly api: IdsClient;
}

/** Long enough for requests to the metadata server of this machine. */
const searchMs = 30_000;

/**
 * Creates the client from the settings.
 *
 * During a plan, an unknown setting causes an error only where it is needed. An invalid setting
 * causes an error immediately.
 */
export async function configure(config: Config, context: ConfigureContext): Promise<Ids> {
  const { env, log } = context;
  refuseRelativeJournal(env);
  const baseUrl = usableBaseUrl(config, env);
  const transport = lazyTransport();
  const tokens = { env, transport, redact: (secret: string) => log.redact(secret) };
  const within = (signal: AbortSignal) => ({
    ...tokenServices(tokens),
    context: { signal, deadline: systemClock.now() + searchMs },
  });
  const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
  const services = {
    ...within(context.signal),
    trusted: { universeDomain: universeOf(config), areLocal: isLocal },
  };
  const credentials = await findCredentials({ config, context, services, isLocal });
  const isKnown = typeof credentials === "object";
  const requestReason = reasonOf(config, env);
  const userProject = quotaProject(config, env, isKnown ? credentials : undefined);
  const missing = unknownSettings(config, neededByRequests);
  const api =
    missing.length > 0
      ? refusing(settingsNotKnownYet(idsProvider, missing, { to: "call the service" }))
      : createIdsClient({
          baseUrl,
          token: isKnown ? credentialsToken(credentials, tokens) : undefined,
          requestTimeoutMs: durationOf(config.requestTimeout),
          pollIntervalMs: durationOf(config.pollInterval),
          requestReason,
          userProject,
          version: process.env["TRIVET_PROVIDER_VERSION"],
          log,
          transport,
        });
  return {
    project: stringSetting(idsProvider, "project", config, env),
    location: locationOf(config, env),
    journal: new IntentJournal({ env, log }),
    baseUrl,
    api,
    async credentialsProject(signal) {
      if (credentials === "unknown") return UNKNOWN;
      if (credentials === "none") return undefined;
      const { defaultProject } = await import("../../google/default-credentials.js");
      return defaultProject(within(signal), credentials);
    },
  };
}

const neededByRequests = [
  ...credentialSettings,
  "userProjectOverride",
  "billingProject",
  "requestReason",
  "requestTimeout",
  "pollInterval",
  "cloudIdsCustomEndpoint",
] as const;

/** A relative path would depend on the folder of the stack, in which a provider runs. */
function refuseRelativeJournal({ TRIVET_JOURNAL: given = "" }: ConfigureContext["env"]): void {
  if (given === "" || isAbsolute(given)) return;
  throw new ProviderError({
    summary: "Invalid TRIVET_JOURNAL",
    detail: `TRIVET_JOURNAL must be the absolute path of a folder, but is ${JSON.stringify(given)}.`,
  });
}

function refusing(problem: ProviderError): IdsClient {
  const refuse = () => Promise.reject(problem);
  return { call: refuse, waitForOperation: refuse, close: () => Promise.resolve() };
}

function usableBaseUrl(config: Config, env: ConfigureContext["env"]): string {
  const found = findSetting(idsProvider, "cloudIdsCustomEndpoint", config, env);
  if (found === undefined || found === UNKNOWN) return standardBaseUrl(universeOf(config));
  const parsed = parseBaseUrl(found.value);
  if ("url" in parsed) return parsed.url;
  throw new ProviderError({
    summary: "Invalid Custom Endpoint",
    detail: `The base URL of the service in ${found.source} ${parsed.problem}.`,
    path: ["cloudIdsCustomEndpoint"],
  });
}

/** Returns the zone, else the region. Both may be URLs, as other resources return them. */
function locationOf(config: Config, env: ConfigureContext["env"]): Ids["location"] {
  const zone = stringSetting(idsProvider, "zone", config, env);
  const location = zone ?? stringSetting(idsProvider, "region", config, env);
  return typeof location === "string" ? lastSegment(location) : location;
}

/** Checks the environment variable too: the declaration's rule checks only the configuration. */
function reasonOf(config: Config, env: ConfigureContext["env"]): string | undefined {
  const found = findSetting(idsProvider, "requestReason", config, env);
  if (found === undefined || found === UNKNOWN) return undefined;
  if (requestReasonPattern.test(found.value)) return found.value;
  throw new ProviderError({
    summary: "Invalid Request Reason",
    detail: `${found.source} must be one line of at most 1,024 printable ASCII characters.`,
    path: ["requestReason"],
  });
}

function durationOf(value: string | Unknown | null): number | undefined {
  return typeof value === "string" ? parseDuration(value) : undefined;
}

/**
 * Decides whose quota requests use, as Google's provider and Google's libraries do: with
 * `user_project_override`, that of `billing_project`, else of the resource's project. Without it, that of
 * GOOGLE_CLOUD_QUOTA_PROJECT, else of the file of credentials (`quota_project_id`).
 */
function quotaProject(
  config: Config,
  env: Environment,
  credentials: Credentials | undefined,
): UserProject | undefined {
  const isOverride = booleanSetting(idsProvider, "userProjectOverride", config, env);
  const billing = stringSetting(idsProvider, "billingProject", config, env);
  if (isOverride === true) {
    if (billing === UNKNOWN) return undefined;
    return billing === undefined ? "that of the resource" : { id: billing };
  }
  if (credentials === undefined) return undefined;
  const variable = env["GOOGLE_CLOUD_QUOTA_PROJECT"];
  const id = variable === undefined || variable === "" ? credentials.quotaProject : variable;
  return id === undefined ? undefined : { id };
}

/**
 * The last part of a name that other resources return as a URL: `us-central1-f` of
 * `https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-f`. Any other string is returned unchanged.
 */
const lastSegment = (value: string): string =>
  /^(?:https:\/\/[^/]+\/.*)?(?:projects\/[^/]+\/)?(?:zones|regions|locations)\/([^/]+)$/.exec(
    value,
  )?.[1] ?? value;
