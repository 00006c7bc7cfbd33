import { isEnd } from "../../../failure/failure";
import { isHttpError } from "../../../http/http-error";
import { isGoogleError } from "../../../google/google-error";
import { isMetadataNamed } from "../../../google/metadata-server";
import type { CallContext } from "../../../http/call-context";
import {
  atService,
  quoteRefusal,
  type ServiceCall,
  serviceCalls,
} from "../../../http/service-call";
import { readJsonObject } from "../../../json/parse-json";
import { isObject, type Properties } from "../../../json/plain-json";
import { type CloudSettings, isIdentityError } from "../../cloud-identity/cloud-settings";
import { type Credentials, type CredentialSource, unusable } from "./credentials";
import { RegistryError } from "./registry-error";

/**
 * The credentials for the registries of Google, Amazon and Azure, from the identity that the cloud gave to this
 * machine, or that its tools stored. They are sent only to hosts that the clouds document. A machine without
 * such an identity has no credentials.
 *
 * The code for a cloud is loaded only for its registries.
 */
export function cloudCredentials(settings: CloudSettings): CredentialSource {
  return {
    async find(registry, context) {
      try {
        return await credentialsFor(registry, settings, context);
      } catch (error) {
        if (!(error instanceof RegistryError) || error.code !== "CREDENTIALS") throw error;
        const way = `to use ${registry} without them, add an empty entry for it to auths in Docker's configuration`;
        const message = `${error.message}; ${way}`;
        throw new RegistryError("CREDENTIALS", message, { cause: error });
      }
    },
  };
}

async function credentialsFor(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  switch (cloudOf(registry)) {
    case "google":
      return googleCredentials(settings, context);
    case "amazon":
      return amazonCredentials(registry, settings, context);
    case "azure":
      return azureCredentials(registry, settings, context);
    case undefined:
      return undefined;
  }
}

type Cloud = "google" | "amazon" | "azure";

/**
 * The hosts of private registries, whole and without a port. Anyone who could choose another host would get the
 * token.
 *
 * @see https://cloud.google.com/artifact-registry/docs/docker/names
 * @see https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html
 * @see https://learn.microsoft.com/azure/container-registry/container-registry-concepts
 */
const hosts: readonly (readonly [Cloud, RegExp])[] = [
  ["google", /^(?:(?:us|eu|asia)\.)?gcr\.io$|^[a-z\d-]+-docker\.pkg\.dev$/],
  ["amazon", /^\d{12}\.dkr\.ecr(?:-fips)?\.[a-z\d-]+\.amazonaws\.com(?:\.cn)?$/],
  ["azure", /^[a-z\d-]{5,60}\.azurecr\.(?:io|us|cn)$/],
];

/** The cloud of a registry; undefined for all other hosts. */
function cloudOf(registry: string): Cloud | undefined {
  return hosts.find(([, host]) => host.test(registry))?.[0];
}

/**
 * The credentials for Google's registries: an access token from the application default credentials; undefined
 * if there are none, because public images need no identity.
 *
 * @throws RegistryError
 * @see https://cloud.google.com/artifact-registry/docs/docker/authentication#token
 */
async function googleCredentials(
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, redact, productFile, now = Date.now } = settings;
  // Outside of Google, another machine could have the metadata server's address, and a request to it takes seconds.
  const careful = { METADATA_SERVER_DETECTION: "bios-only", ...settings.env };
  const env = isMetadataNamed(settings.env) ? settings.env : careful;
  const { defaultToken } = await import("../../../google/default-credentials.js");
  try {
    const found = await defaultToken({ http, env, redact, now, context }, { productFile });
    if (found === undefined) return undefined;
    const { token, expiresAt } = found;
    return { kind: "basic", username: "oauth2accesstoken", password: token, expiresAt };
  } catch (error) {
    if (!isGoogleError(error)) throw withoutAnswer(error);
    if (error.code === "NO_SERVICE_ACCOUNT") return undefined;
    throw unusable(error.message, error);
  }
}

/**
 * The credentials for a registry of Amazon: its authorization token, requested with the keys that Amazon's own
 * tools use; undefined if there are none.
 *
 * @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html
 */
async function amazonCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, now = Date.now } = settings;
  const [, variant, region = "", domain] =
    /\.dkr\.(ecr(?:-fips)?)\.([a-z\d-]+)\.(amazonaws\.com(?:\.cn)?)$/.exec(registry) ?? [];
  const { awsKeys } = await import("../../cloud-identity/aws-identity.js");
  const { signedHeaders } = await import("../../../http/aws-signature.js");
  const keys = await awsKeys(settings, region, context).catch(absentIdentity("Amazon"));
  if (keys === undefined) return undefined;
  const host = variant === "ecr-fips" ? `ecr-fips.${region}` : `api.ecr.${region}`;
  const url = new URL(`https://${host}.${domain}/`);
  const body = "{}";
  const unsigned = {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
  };
  const method = "POST" as const;
  const signed = { method, url, headers: unsigned, body, region, service: "ecr" };
  const headers = signedHeaders({ ...signed, now: new Date(now()) }, keys);
  const { secretAccessKey, sessionToken = "" } = keys;
  const secrets = [secretAccessKey, sessionToken];
  const service = "Amazon's registry service";
  const request = { http, context, service, method, url: url.href, headers, body, secrets };
  const answer = await askCloud(request);
  const list = answer?.["authorizationData"];
  const data: unknown = Array.isArray(list) ? list[0] : undefined;
  const token = secretIn(isObject(data) ? data : undefined, "authorizationToken", service);
  const pair = Buffer.from(token, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 1) throw unusable(`${service} returned a token without a user name`);
  const seconds = isObject(data) ? data["expiresAt"] : undefined;
  return {
    kind: "basic",
    username: pair.slice(0, colon),
    password: pair.slice(colon + 1),
    ...(typeof seconds === "number" ? { expiresAt: seconds * 1_000 } : {}),
  };
}

const audience = "https://containerregistry.azure.net";
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Shorter than the three hours for which the registry's tokens are valid. */
const lifetimeMs = 2 * 3_600_000;

/**
 * The credentials for a registry of Azure: its refresh token, exchanged for an access token of the identity that
 * Azure's own tools use; undefined without an identity.
 *
 * @see https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md
 */
async function azureCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, env, now = Date.now } = settings;
  const end = registry.split(".").at(-1);
  const { azureTokens } = await import("../../cloud-identity/azure-identity.js");
  const getToken = azureTokens(settings, end === "us" || end === "cn" ? end : "public");
  const accessToken = await getToken(audience, context).catch(absentIdentity("Azure"));
  if (accessToken === undefined) return undefined;
  const service = `the registry ${registry}`;
  const tenant = env["AZURE_TENANT_ID"] ?? "";
  const body = new URLSearchParams({
    grant_type: "access_token",
    service: registry,
    ...(tenant === "" ? {} : { tenant }),
    access_token: accessToken,
  }).toString();
  const url = `https://${registry}/oauth2/exchange`;
  const request = { http, context, service, url, headers: form, body, secrets: [accessToken] };
  const answer = await askCloud({ ...request, method: "POST" });
  const token = secretIn(answer, "refresh_token", service);
  return { kind: "identity-token", token, expiresAt: now() + lifetimeMs };
}

// A longer attempt would delay users without such a service.
const call = serviceCalls({ limits: { maxBytes: 1_000_000, attemptMs: 10_000 } });

/**
 * Sends a request to a service of a cloud, and reads its JSON. Redirects are not followed, because requests
 * contain secrets.
 *
 * @returns undefined after a 404
 * @throws RegistryError `CREDENTIALS`
 */
async function askCloud(request: ServiceCall): Promise<Properties | undefined> {
  const { service, secrets } = request;
  const answer = await call(request).catch((failure: unknown) => {
    throw withoutAnswer(failure);
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) {
    throw unusable(`${service} responded with ${quoteRefusal(answer, secrets)}`);
  }
  const json = readJsonObject(answer.body);
  if (json === undefined) throw unusable(`${service} did not return a JSON object`);
  return json;
}

/** Reads a secret from a response. @throws RegistryError `CREDENTIALS` if it is missing */
function secretIn(json: Properties | undefined, name: string, service: string): string {
  const value = json?.[name];
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  throw unusable(`${service} returned no ${name}`);
}

/** Reports a service that does not respond as credentials that cannot be used. The end of the call stays what it is. */
const withoutAnswer = (failure: unknown): unknown =>
  isHttpError(failure) && !isEnd(failure) ? unusable(failure.message, failure) : failure;

/** Handles the failure of a cloud's library. A missing identity is not an error. @throws RegistryError */
function absentIdentity(cloud: string) {
  return (failure: unknown): undefined => {
    if (isIdentityError(failure)) {
      if (failure.code === "ABSENT") return undefined;
      throw unusable(`the identity at ${cloud} cannot be used: ${failure.message}`, failure);
    }
    throw withoutAnswer(atService(cloud, failure));
  };
}
