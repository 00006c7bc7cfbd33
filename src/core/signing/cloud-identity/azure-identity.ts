import { DefaultAzureCredential } from "@azure/identity";
import { type CallContext, withinDeadline } from "../../http/call-context";
import { goesToLoopback } from "../../schema";
import { networkZone } from "../../http/network-zone";
import {
  type CloudSettings,
  collectSecrets,
  identityError,
  identityFailure,
  sendForLibrary,
} from "./cloud-settings";
import { createHttpHeaders, type HttpClient as PipelineClient } from "@azure/core-rest-pipeline";
import type { HttpClient } from "../../http/client";

/** The sign-in services of Azure's clouds. */
const authorities = {
  public: "https://login.microsoftonline.com",
  us: "https://login.microsoftonline.us",
  cn: "https://login.partner.microsoftonline.cn",
} as const;

export type AzureCloud = keyof typeof authorities;

const variables = [
  "AZURE_CLIENT_SECRET",
  "AZURE_CLIENT_CERTIFICATE_PATH",
  "AZURE_FEDERATED_TOKEN_FILE",
  "IDENTITY_ENDPOINT",
];

/**
 * Gets access tokens with the identity that Azure's own tools use, as its library finds it: variables, workload and
 * managed identities, and developers' logins. Tokens are kept until they expire.
 *
 * @returns a function that gets a token for a resource such as `https://vault.azure.net`. It throws `IdentityError`,
 * or `HttpError` (`CANCELLED` or `DEADLINE`).
 */
export function azureTokens({ http, env, redact }: CloudSettings, cloud: AzureCloud) {
  const { secrets, onSecret } = collectSecrets(redact);
  let credential: DefaultAzureCredential | undefined;
  const create = (): DefaultAzureCredential => {
    const authority = env["AZURE_AUTHORITY_HOST"] ?? "";
    return new DefaultAzureCredential({
      httpClient: azureHttpClient(http, onSecret),
      authorityHost: authority === "" ? authorities[cloud] : authority,
    });
  };
  return async (resource: string, context: CallContext): Promise<string> => {
    checkEndpoint(env["IDENTITY_ENDPOINT"] ?? "");
    const header = env["IDENTITY_HEADER"] ?? "";
    if (header !== "") secrets.add(header);
    try {
      const source = (credential ??= create());
      const { token } = await withinDeadline(context, "the sign-in to Azure", (abortSignal) =>
        source.getToken(`${resource}/.default`, { abortSignal }),
      );
      redact(token);
      return token;
    } catch (error) {
      const isNone = (name: unknown) =>
        name === "AggregateAuthenticationError" || name === "CredentialUnavailableError";
      throw identityFailure(error, { env, variables, isNone, secrets });
    }
  };
}

/** The documented endpoints are on this machine, or link-local. The library would send its header anywhere. */
function checkEndpoint(endpoint: string): void {
  if (endpoint === "") return;
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : undefined;
  if (host !== undefined && (goesToLoopback(host) || isLinkLocal(host))) return;
  const got = host ?? "no URL";
  const problem = `IDENTITY_ENDPOINT must be an address of this machine (got ${got})`;
  throw identityError("UNUSABLE", problem);
}

/** False for a name such as `169.254.evil.example`. */
const isLinkLocal = (host: string): boolean =>
  host.startsWith("169.254.") && networkZone(host) === "link-local";

/** Sends the requests of Azure's library, which exchange credentials for a token, with Trivet's client. */
function azureHttpClient(http: HttpClient, onSecret: (secret: string) => void): PipelineClient {
  return {
    async sendRequest(request) {
      const { method, url, headers, body, abortSignal, timeout } = request;
      const answer = await sendForLibrary(http, {
        method,
        url,
        headers: headers.toJSON(),
        body,
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
        timeoutMs: timeout > 0 ? timeout : undefined,
        onSecret,
      });
      return {
        request,
        status: answer.status,
        headers: createHttpHeaders({ ...answer.headers }),
        bodyAsText: answer.body.toString("utf8"),
      };
    },
  };
}
