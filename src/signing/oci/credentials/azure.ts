import type { CallContext } from "../../../http/call-context";
import { azureTokens } from "../../cloud-identity/azure-identity";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import type { Credentials } from "./credentials";
import { absentIdentity, askCloud, secretIn } from "./cloud-request";

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
export async function azureCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, env, now = Date.now } = settings;
  const end = registry.split(".").at(-1);
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
