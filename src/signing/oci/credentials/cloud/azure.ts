import { readFile } from "node:fs/promises";
import type { CallContext } from "../../../../http/call-context";
import { failureCode } from "../../../../http/failure";
import { goesToLoopback } from "../../../../http/loopback-lookup";
import type { Credentials } from "../credentials";
import type { CloudSettings } from "../../../cloud-identity/cloud-settings";
import { askCloud, secretIn } from "./cloud-request";
import { unusable } from "../unusable-credentials";

/** The sign-in services of Azure's clouds, by the ends of their registries' names. */
const authorities: Readonly<Record<string, string>> = {
  io: "https://login.microsoftonline.com",
  us: "https://login.microsoftonline.us",
  cn: "https://login.partner.microsoftonline.cn",
};

const audience = "https://containerregistry.azure.net";
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Shorter than the three hours for which the registry's tokens are valid. */
const lifetimeMs = 2 * 3_600_000;

/**
 * The credentials for a registry of Azure: its refresh token, exchanged for an access token of the identity in the
 * environment (client secret, federated token or managed identity); undefined if there is none.
 *
 * @see https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md
 */
export async function azureCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, env, now = Date.now } = settings;
  const accessToken =
    (await clientToken(registry, settings, context)) ?? (await managedToken(settings, context));
  if (accessToken === undefined) return undefined;
  const service = `the registry ${registry}`;
  const tenant = env["AZURE_TENANT_ID"] ?? "";
  const body = new URLSearchParams({
    grant_type: "access_token",
    service: registry,
    ...(tenant === "" ? {} : { tenant }),
    access_token: accessToken,
  }).toString();
  const answer = await askCloud({
    http,
    context,
    service,
    method: "POST",
    headers: form,
    body,
    secrets: [accessToken],
    url: `https://${registry}/oauth2/exchange`,
  });
  const token = secretIn(answer, "refresh_token", service);
  return { kind: "identity-token", token, expiresAt: now() + lifetimeMs };
}

/** The token of an application, by its secret or by a token of another identity provider. */
async function clientToken(
  registry: string,
  { env, http }: CloudSettings,
  context: CallContext,
): Promise<string | undefined> {
  const clientId = env["AZURE_CLIENT_ID"] ?? "";
  const tenant = env["AZURE_TENANT_ID"] ?? "";
  const clientSecret = env["AZURE_CLIENT_SECRET"] ?? "";
  const tokenFile = env["AZURE_FEDERATED_TOKEN_FILE"] ?? "";
  if (clientId === "" || tenant === "" || (clientSecret === "" && tokenFile === ""))
    return undefined;
  if (!/^[\w.-]+$/.test(tenant))
    throw unusable("AZURE_TENANT_ID is not the ID or name of a tenant");
  const assertion = clientSecret === "" ? await textOf(tokenFile) : "";
  const proof =
    clientSecret === ""
      ? {
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: assertion,
        }
      : { client_secret: clientSecret };
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    scope: `${audience}/.default`,
    ...proof,
  }).toString();
  const authority = authorities[registry.split(".").at(-1) ?? ""] ?? "";
  const service = "Azure's sign-in service";
  const secrets = [clientSecret, assertion];
  const answer = await askCloud({
    http,
    context,
    service,
    method: "POST",
    headers: form,
    body,
    secrets,
    url: `${authority}/${tenant}/oauth2/v2.0/token`,
  });
  return secretIn(answer, "access_token", service);
}

/**
 * The token of a managed identity, from the endpoint that app services provide on the machine.
 *
 * @see https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */
async function managedToken(
  { env, http }: CloudSettings,
  context: CallContext,
): Promise<string | undefined> {
  const endpoint = env["IDENTITY_ENDPOINT"] ?? "";
  const header = env["IDENTITY_HEADER"] ?? "";
  if (endpoint === "" || header === "") return undefined;
  if (!URL.canParse(endpoint)) throw unusable("IDENTITY_ENDPOINT is not a URL");
  const url = new URL(endpoint);
  // The documented endpoints are on the machine, or link-local.
  if (!goesToLoopback(url.hostname) && !url.hostname.startsWith("169.254.")) {
    throw unusable(`IDENTITY_ENDPOINT must be an address of this machine (got ${url.hostname})`);
  }
  url.searchParams.set("api-version", "2019-08-01");
  url.searchParams.set("resource", audience);
  const clientId = env["AZURE_CLIENT_ID"] ?? "";
  if (clientId !== "") url.searchParams.set("client_id", clientId);
  const service = "Azure's managed identity endpoint";
  const headers = { "x-identity-header": header };
  const answer = await askCloud({
    http,
    context,
    service,
    method: "GET",
    url: url.href,
    headers,
    secrets: [header],
  });
  return secretIn(answer, "access_token", service);
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw unusable(`${file} cannot be read (${failureCode(error) ?? "unknown"})`);
  }
}
