import { readFile } from "node:fs/promises";
import type { CallContext } from "../../../../http/call-context";
import { failureCode } from "../../../../http/failure";
import { goesToLoopback } from "../../../../http/loopback-lookup";
import { isObject } from "../../../../json/is-object";
import type { Credentials } from "../credentials";
import { type AmazonKeys, signedHeaders } from "./amazon-signature";
import type { CloudSettings } from "../../../cloud-identity/cloud-settings";
import { askCloud, secretIn } from "./cloud-request";
import { unusable } from "../unusable-credentials";

/**
 * The credentials for a registry of Amazon: its authorization token, requested with the keys in the environment or
 * those of the container; undefined if there are none.
 *
 * @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html
 */
export async function amazonCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { env, http, now = Date.now } = settings;
  const keys = keysOf(env) ?? (await containerKeys(settings, context));
  if (keys === undefined) return undefined;
  const [, variant, region = "", domain] =
    /\.dkr\.(ecr(?:-fips)?)\.([a-z\d-]+)\.(amazonaws\.com(?:\.cn)?)$/.exec(registry) ?? [];
  const host = variant === "ecr-fips" ? `ecr-fips.${region}` : `api.ecr.${region}`;
  const url = new URL(`https://${host}.${domain}/`);
  const body = "{}";
  const unsigned = {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
  };
  const method = "POST";
  const request = {
    method,
    url,
    headers: unsigned,
    body,
    region,
    service: "ecr",
    now: new Date(now()),
  };
  const headers = signedHeaders(request, keys);
  const { secretAccessKey, sessionToken = "" } = keys;
  const secrets = [secretAccessKey, sessionToken];
  const service = "Amazon's registry service";
  const answer = await askCloud({
    http,
    context,
    service,
    method,
    url: url.href,
    headers,
    body,
    secrets,
  });
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

function keysOf(env: CloudSettings["env"]): AmazonKeys | undefined {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"] ?? "";
  if (accessKeyId === "" || secretAccessKey === "") return undefined;
  const sessionToken = env["AWS_SESSION_TOKEN"] ?? "";
  return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
}

/** The addresses of the agents of Amazon's container services. */
const agents: ReadonlySet<string> = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]);

/** @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
async function containerKeys(
  { env, http }: CloudSettings,
  context: CallContext,
): Promise<AmazonKeys | undefined> {
  const relative = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] ?? "";
  const full = env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] ?? "";
  if (relative === "" && full === "") return undefined;
  const text = relative === "" ? full : `http://169.254.170.2${relative}`;
  if (!URL.canParse(text)) throw unusable("AWS_CONTAINER_CREDENTIALS_FULL_URI is not a URL");
  const { protocol, hostname } = new URL(text);
  const isSafe = protocol === "https:" || agents.has(hostname) || goesToLoopback(hostname);
  if (!isSafe || (relative !== "" && hostname !== "169.254.170.2")) {
    throw unusable(
      `the URL for the container's credentials must use https, or the address of a container agent or this machine (got the host ${hostname})`,
    );
  }
  const authorization = await agentToken(env);
  const service = "the container's credential service";
  const answer = await askCloud({
    http,
    context,
    service,
    method: "GET",
    url: text,
    secrets: [authorization],
    headers: authorization === "" ? {} : { authorization },
  });
  return {
    accessKeyId: secretIn(answer, "AccessKeyId", service),
    secretAccessKey: secretIn(answer, "SecretAccessKey", service),
    sessionToken: secretIn(answer, "Token", service),
  };
}

async function agentToken(env: CloudSettings["env"]): Promise<string> {
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] ?? "";
  if (file === "") return env["AWS_CONTAINER_AUTHORIZATION_TOKEN"] ?? "";
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw unusable(`${file} cannot be read (${failureCode(error) ?? "unknown"})`);
  }
}
