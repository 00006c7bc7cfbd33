import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CallContext } from "../../../../http/call-context";
import { failureCode } from "../../../../http/failure";
import { readJsonObject, readStrings } from "../../protocol/read-json";
import type { Credentials } from "../credentials";
import type { CloudSettings } from "./cloud-credentials";
import { askCloud, expiryOf, secretIn, unusable } from "./cloud-request";

const tokenUrl = "https://oauth2.googleapis.com/token";
const scope = "https://www.googleapis.com/auth/cloud-platform";
const machineFile = "/sys/class/dmi/id/product_name";

/**
 * The credentials for Google's registries: an access token from the application default credentials, which
 * are a file or the metadata server of the machine; undefined if there are none.
 *
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 * @see https://cloud.google.com/artifact-registry/docs/docker/authentication#token
 */
export async function googleCredentials(
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const file = await credentialFile(settings);
  const token =
    file === undefined
      ? await machineToken(settings, context)
      : await exchanged(file, settings, context);
  return token && { kind: "basic", username: "oauth2accesstoken", ...token };
}

interface Token {
  readonly password: string;
  readonly expiresAt: number | undefined;
}

interface CredentialFile {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function credentialFile({
  environment,
  homeFolder,
}: CloudSettings): Promise<CredentialFile | undefined> {
  const given = environment["GOOGLE_APPLICATION_CREDENTIALS"] ?? "";
  const folder = environment["CLOUDSDK_CONFIG"] ?? join(homeFolder, ".config", "gcloud");
  const path = given === "" ? join(folder, "application_default_credentials.json") : given;
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (given === "") return undefined;
    throw unusable(`${path} cannot be read (${failureCode(error) ?? "unknown"})`);
  }
  const fields = readStrings(readJsonObject(bytes));
  if (fields === undefined) throw unusable(`${path} is not a JSON object`);
  return { path, fields };
}

const service = "Google's token service";

/** Exchanges the credentials in a file, if they are of a known type, for an access token; only at Google's own service. */
async function exchanged(
  { path, fields }: CredentialFile,
  { http, now = () => new Date() }: CloudSettings,
  context: CallContext,
): Promise<Token | undefined> {
  const field = (name: string): string => {
    const value = fields[name] ?? "";
    if (value === "") throw unusable(`${path} has no ${name}`);
    return value;
  };
  const form = new URLSearchParams();
  const secrets: string[] = [];
  if (fields["type"] === "authorized_user") {
    form.set("grant_type", "refresh_token");
    for (const name of ["client_id", "client_secret", "refresh_token"]) form.set(name, field(name));
    secrets.push(field("client_secret"), field("refresh_token"));
  } else if (fields["type"] === "service_account") {
    form.set("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
    const assertion = assertionOf(path, field("client_email"), field("private_key"), now());
    form.set("assertion", assertion);
    secrets.push(assertion, field("private_key"));
  } else {
    // Such as workload identity federation, which has its own helper. Public images need none of it.
    return undefined;
  }
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = form.toString();
  const url = tokenUrl;
  const answer = await askCloud({
    ...{ http, context, service, method: "POST", url, headers, body, secrets },
  });
  return {
    password: secretIn(answer, "access_token", service),
    expiresAt: expiryOf(answer, now()),
  };
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function assertionOf(path: string, email: string, privateKey: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims = { iss: email, scope, aud: tokenUrl, iat: issuedAt };
  const content = [
    { alg: "RS256", typ: "JWT" },
    { ...claims, exp: issuedAt + 3_600 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  try {
    const signature = sign("sha256", Buffer.from(content), createPrivateKey(privateKey));
    return `${content}.${signature.toString("base64url")}`;
  } catch {
    throw unusable(`the private_key in ${path} cannot be used`);
  }
}

/**
 * Asks the metadata server, but only on Google's machines: elsewhere, the address could be anybody's.
 *
 * @see https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
async function machineToken(
  { http, environment, machineName = readMachineName, now = () => new Date() }: CloudSettings,
  context: CallContext,
): Promise<Token | undefined> {
  const given = environment["GCE_METADATA_HOST"] ?? "";
  if (given === "" && !(await machineName()).startsWith("Google")) return undefined;
  const host = given === "" ? "metadata.google.internal" : given;
  const path = "computeMetadata/v1/instance/service-accounts/default/token";
  const server = "Google's metadata server";
  const answer = await askCloud({
    ...{ http, context, method: "GET", service: server, url: `http://${host}/${path}` },
    headers: { "metadata-flavor": "Google" },
    secrets: [],
  });
  // The machine has no service account.
  if (answer === undefined) return undefined;
  return { password: secretIn(answer, "access_token", server), expiresAt: expiryOf(answer, now()) };
}

/** @see https://cloud.google.com/compute/docs/instances/detect-compute-engine */
async function readMachineName(): Promise<string> {
  return readFile(machineFile, "utf8").catch(() => "");
}
