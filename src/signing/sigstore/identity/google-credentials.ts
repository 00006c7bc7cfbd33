import { createPrivateKey, sign } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import { ServiceError } from "../service/service-error";
import { askMetadata } from "./google-metadata";
import { readTokenFile } from "./token-file";
import { requestToken, type TokenSearch, variable } from "./token-request";

const service = "Google's token service";
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Google's services. Tests use others. */
export interface GoogleServices {
  readonly tokenUrl: string;
  readonly credentialsUrl: string;
}

/** Google's public services. */
export const googleServices: GoogleServices = {
  tokenUrl: "https://oauth2.googleapis.com/token",
  credentialsUrl: "https://iamcredentials.googleapis.com",
};

/**
 * Gets an access token from Google's application default credentials: the file named by
 * GOOGLE_APPLICATION_CREDENTIALS, the one that `gcloud auth application-default login` writes, or the
 * machine's service account.
 *
 * @throws ServiceError
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 */
export async function googleAccessToken(
  search: TokenSearch,
  { tokenUrl }: GoogleServices,
): Promise<string> {
  const { env } = search;
  const named = variable(env, "GOOGLE_APPLICATION_CREDENTIALS");
  const file = named ?? join(gcloudFolder(env), "application_default_credentials.json");
  const text = await readTokenFile(file, "the Google credentials");
  if (text !== undefined) return exchange(search, tokenUrl, credentialsIn(text, file), file);
  if (named !== undefined) {
    throw unusable("GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist");
  }
  const answer = await askMetadata(search, "token");
  const token = answer && fieldsOf(answer.body)["access_token"];
  if (typeof token === "string" && token !== "") return token;
  throw unusable(
    "GOOGLE_SERVICE_ACCOUNT_NAME is set, but there are no Google credentials to impersonate it with: set GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login",
  );
}

async function exchange(
  search: TokenSearch,
  tokenUrl: string,
  credentials: JsonObject,
  file: string,
): Promise<string> {
  const text = (name: string): string => {
    const value = credentials[name];
    if (typeof value === "string" && value !== "") return value;
    throw unusable(`the Google credentials in ${file} have no ${name}`);
  };
  const { type } = credentials;
  if (type === "authorized_user") {
    const [secret, refresh] = [text("client_secret"), text("refresh_token")];
    const form = { grant_type: "refresh_token", client_id: text("client_id") };
    return requestAccess(search, tokenUrl, [secret, refresh], {
      ...form,
      client_secret: secret,
      refresh_token: refresh,
    });
  }
  if (type === "service_account") {
    const key = text("private_key");
    search.redact(key);
    const claims = { iss: text("client_email"), scope, aud: tokenUrl };
    const assertion = signedClaims(claims, key, search.now(), file);
    const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    return requestAccess(search, tokenUrl, [assertion], { grant_type: grant, assertion });
  }
  const kind = typeof type === "string" && /^\w{1,40}$/.test(type) ? ` "${type}"` : "";
  throw unusable(
    `the Google credentials in ${file} are of the type${kind}, which is not supported: use a service account's key or gcloud auth application-default login`,
  );
}

function requestAccess(
  search: TokenSearch,
  tokenUrl: string,
  secrets: readonly string[],
  form: Readonly<Record<string, string>>,
): Promise<string> {
  return requestToken(search, {
    ...{ service, method: "POST", url: new URL(tokenUrl), member: "access_token", secrets },
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(form).toString(),
  });
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function signedClaims(claims: object, key: string, nowMs: number, file: string): string {
  const iat = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ ...claims, iat, exp: iat + 600 })}`;
  try {
    const signature = sign("sha256", Buffer.from(text), createPrivateKey(key));
    return `${text}.${signature.toString("base64url")}`;
  } catch {
    // The cause could quote the key.
    throw unusable(`the Google credentials in ${file} have no valid private_key`);
  }
}

function credentialsIn(text: string, file: string): JsonObject {
  const fields = fieldsOf(Buffer.from(text));
  if (Object.keys(fields).length > 0) return fields;
  throw unusable(`the Google credentials in ${file} are not a JSON object`);
}

function fieldsOf(bytes: Buffer): JsonObject {
  try {
    const parsed = parseJson(bytes);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function gcloudFolder(env: TokenSearch["env"]): string {
  const home = variable(env, "HOME") ?? homedir();
  return variable(env, "CLOUDSDK_CONFIG") ?? join(home, ".config", "gcloud");
}

function unusable(problem: string): ServiceError {
  return new ServiceError("IDENTITY", `No Google access token: ${problem}.`);
}
