import { isFailure } from "../../failure/failure";
import { type Credentials, googleUniverse } from "../../google/credentials";
import type { GoogleError } from "../../google/google-error";
import type { TokenServices } from "../../google/token-request";
import {
  type ConfigureContext,
  findSetting,
  type FoundSetting,
  ProviderError,
  stringSetting,
  UNKNOWN,
  type ConfigOf,
} from "../../provider-kit";
import { idsProvider, serviceAccountPattern } from "./declare";

type Config = ConfigOf<typeof idsProvider>;

/** The result of a search: `unknown` while a setting is unknown, `none` if no credentials are needed. */
type FoundCredentials = Credentials | "unknown" | "none";

/** The settings that the credentials depend on. */
export const credentialSettings = [
  "credentials",
  "accessToken",
  "externalCredentials",
  "impersonateServiceAccount",
  "impersonateServiceAccountDelegates",
  "iamCredentialsCustomEndpoint",
  "universeDomain",
] as const;

interface CredentialSearch {
  readonly config: Config;
  readonly context: ConfigureContext;
  readonly services: TokenServices;
  /** True if the service is on this machine and may need no credentials. */
  readonly isLocal: boolean;
}

/**
 * Finds the credentials: those in the configuration, else those in the environment, else the application
 * default credentials; and the service account that they impersonate.
 *
 * @throws ProviderError when no credentials are found, or they are invalid
 */
export async function findCredentials(search: CredentialSearch): Promise<FoundCredentials> {
  const { config, context, isLocal } = search;
  // The domain decides who may receive the credentials.
  if (config.universeDomain === UNKNOWN) return "unknown";
  const account = findSetting(idsProvider, "impersonateServiceAccount", config, context.env);
  if (account === UNKNOWN) return "unknown";
  const source = await sourceCredentials(search, account !== undefined);
  if (source === "unknown") return "unknown";
  if (source === undefined) {
    if (isLocal && account === undefined) return "none";
    throw noCredentials();
  }
  return account === undefined ? source : impersonated(search, source, account);
}

async function sourceCredentials(
  { config, context, services, isLocal }: CredentialSearch,
  isNeeded: boolean,
): Promise<Credentials | "unknown" | undefined> {
  const { externalCredentials: blocks } = config;
  const [block] = blocks === UNKNOWN ? [] : blocks;
  // One of them in the configuration takes precedence over all in the environment.
  const isInConfig =
    Boolean(config.accessToken) || Boolean(config.credentials) || block !== undefined;
  const env = isInConfig ? {} : context.env;
  const token = findSetting(idsProvider, "accessToken", config, env);
  const given = findSetting(idsProvider, "credentials", config, env);
  if (token === UNKNOWN || given === UNKNOWN || blocks === UNKNOWN) return "unknown";
  if (token !== undefined) {
    context.log.redact(token.value);
    const universeDomain = universeOf(config);
    return { type: "access_token", origin: token.source, token: token.value, universeDomain };
  }
  if (given !== undefined) {
    // The setting is sensitive, so Terraform would show asterisks instead of the path.
    const source = { name: given.source, isPathShown: given.source !== "credentials" };
    const { readCredentials } = await import("../../google/read-credentials.js");
    const found = await explained(
      ["credentials"],
      readCredentials(given.value, source, services.trusted ?? {}),
    );
    for (const secret of secretsOf(found)) context.log.redact(secret);
    return found;
  }
  if (block !== undefined) return fromBlock(config, block, context);
  if (config.cloudIdsCustomEndpoint === UNKNOWN) return "unknown";
  const isNamedOnly = isLocal && !isNeeded;
  const { findDefaultCredentials } = await import("../../google/default-credentials.js");
  const found = await explained(undefined, findDefaultCredentials(services, { isNamedOnly }));
  for (const secret of found === undefined ? [] : secretsOf(found)) context.log.redact(secret);
  return found;
}

async function fromBlock(
  config: Config,
  values: Exclude<Config["externalCredentials"], symbol>[number],
  { log }: ConfigureContext,
): Promise<Credentials | "unknown"> {
  const { audience, serviceAccountEmail, identityToken } = values;
  if (audience === UNKNOWN || serviceAccountEmail === UNKNOWN || identityToken === UNKNOWN) {
    return "unknown";
  }
  log.redact(identityToken);
  const { impersonationUrl } = await import("../../google/credential-url.js");
  const universeDomain = universeOf(config);
  return {
    type: "external_account",
    origin: "external_credentials",
    universeDomain,
    audience,
    subjectTokenType: "urn:ietf:params:oauth:token-type:jwt",
    subject: { kind: "given", token: identityToken },
    tokenUrl: `https://sts.${universeDomain}/v1/token`,
    clientId: undefined,
    clientSecret: undefined,
    workforcePoolUserProject: undefined,
    impersonation: {
      url: impersonationUrl(serviceAccountEmail, universeDomain),
      delegates: [],
      lifetimeSeconds: 3_600,
    },
  };
}

async function impersonated(
  { config, context }: CredentialSearch,
  source: Credentials,
  { value: account, source: origin }: FoundSetting,
): Promise<Credentials | "unknown"> {
  const { impersonateServiceAccountDelegates: delegates } = config;
  const base = stringSetting(idsProvider, "iamCredentialsCustomEndpoint", config, context.env);
  if (base === UNKNOWN || delegates === UNKNOWN) return "unknown";
  const known = (delegates ?? []).filter((each) => each !== UNKNOWN);
  if (known.length < (delegates ?? []).length) return "unknown";
  if (!serviceAccountPattern.test(account)) {
    throw new ProviderError({
      summary: "Invalid Credentials",
      detail: `${origin} must be the email address of a service account.`,
      path: ["impersonateServiceAccount"],
    });
  }
  const { universeDomain, project, quotaProject } = source;
  const { impersonationUrl } = await import("../../google/credential-url.js");
  const standard = impersonationUrl(account, universeDomain);
  const url = base === undefined ? standard : withBase(standard, base);
  return {
    type: "impersonated_service_account",
    origin,
    universeDomain,
    project,
    quotaProject,
    source,
    impersonation: { url, delegates: known, lifetimeSeconds: 3_600 },
  };
}

const withBase = (url: string, base: string): string =>
  `${base.replace(/\/$/, "")}${new URL(url).pathname.replace(/^\/v1/, "")}`;

/** Returns the domain of the services. */
export function universeOf({ universeDomain }: Config): string {
  return typeof universeDomain === "string" && universeDomain !== ""
    ? universeDomain
    : googleUniverse;
}

function secretsOf(credentials: Credentials): readonly string[] {
  switch (credentials.type) {
    case "service_account":
      return [credentials.privateKey];
    case "authorized_user":
    case "external_account_authorized_user":
      return [credentials.refreshToken, credentials.clientSecret];
    case "impersonated_service_account":
      return secretsOf(credentials.source);
    case "external_account":
      return credentials.clientSecret === undefined ? [] : [credentials.clientSecret];
    default:
      return [];
  }
}

async function explained<T>(path: readonly string[] | undefined, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code, message, advice } = error;
    throw new ProviderError({
      summary: summaries[code] ?? "Invalid Credentials",
      detail: [`${message}.`, advice].filter(Boolean).join(" "),
      // As in Google's provider, users must set the universe of credentials that are not for the default one.
      path: code === "UNIVERSE" ? ["universeDomain"] : path,
      cause: error,
    });
  }
}

const summaries: Readonly<Partial<Record<string, string>>> = {
  FILE: "Invalid Credentials",
  METADATA: "Invalid Credentials",
  SETTING: "Invalid Credentials",
  UNIVERSE: "Universe Domain Mismatch",
  URL: "Invalid Credentials",
} satisfies Partial<Record<GoogleError["code"], string>>;

const noCredentials = (): ProviderError =>
  new ProviderError({
    summary: "No Credentials",
    detail:
      "The ids provider has no credentials for the service. Log in with `gcloud auth " +
      "application-default login`, set GOOGLE_APPLICATION_CREDENTIALS to the path of a credentials " +
      "file, run on a Google Cloud machine that has a service account, or set credentials (or " +
      "GOOGLE_CREDENTIALS), access_token (or GOOGLE_OAUTH_ACCESS_TOKEN) or external_credentials.",
  });
