import { signedHeaders } from "../../../http/aws-signature";
import type { CallContext } from "../../../http/call-context";
import { isObject } from "../../../json/plain-json";
import { awsKeys } from "../../cloud-identity/aws-identity";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { type Credentials, unusable } from "./credentials";
import { absentIdentity, askCloud, secretIn } from "./cloud-request";

/**
 * The credentials for a registry of Amazon: its authorization token, requested with the keys that Amazon's own
 * tools use; undefined if there are none.
 *
 * @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html
 */
export async function amazonCredentials(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, now = Date.now } = settings;
  const [, variant, region = "", domain] =
    /\.dkr\.(ecr(?:-fips)?)\.([a-z\d-]+)\.(amazonaws\.com(?:\.cn)?)$/.exec(registry) ?? [];
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
