import { type AwsKeys, signedHeaders } from "../http/aws-signature";
import { quoteRefusal } from "../http/service-call";
import { readJsonObject } from "../json/parse-json";
import { isFileProblem, readSmallFile } from "../process/files";
import { CredentialFields } from "./credential-fields";
import type { ExternalAccount } from "./credentials";
import { googleError, type GoogleError } from "./google-error";
import { sendForToken, type TokenServices } from "./token-request";

const maxFileBytes = 1_000_000;

/**
 * Gets the token of the other identity provider, which is exchanged for one of Google's.
 *
 * @throws GoogleError
 */
export async function subjectToken(
  services: TokenServices,
  account: ExternalAccount,
): Promise<string> {
  const token = await tokenIn(services, account);
  if (token === "") {
    throw googleError("SUBJECT", `${account.origin}: the source of the token is empty`);
  }
  return token;
}

async function tokenIn(services: TokenServices, account: ExternalAccount): Promise<string> {
  const { subject, origin } = account;
  if (subject.kind === "given") return subject.token;
  const source = new CredentialFields(subject.settings, origin, "credential_source.");
  switch (subject.kind) {
    case "file":
      return inFile(source);
    case "url":
      return atUrl(services, source);
    case "executable": {
      const { executableToken } = await import("./executable-token.js");
      return executableToken(services, account, source.object("executable"));
    }
    case "aws":
      return awsSubjectToken(services, account, source);
  }
}

async function inFile(source: CredentialFields): Promise<string> {
  const path = source.string("file");
  const place = `${source.origin}: credential_source.file ${JSON.stringify(path)}`;
  let text: string | undefined;
  try {
    text = await readSmallFile(path, maxFileBytes);
  } catch (error) {
    if (!isFileProblem(error)) throw error;
    throw googleError("SUBJECT", `${place} cannot be used: ${error.message}`);
  }
  if (text === undefined) throw googleError("SUBJECT", `${place} does not exist`);
  return inFormat(source, Buffer.from(text), place);
}

async function atUrl(services: TokenServices, source: CredentialFields): Promise<string> {
  const url = new URL(source.string("url"));
  const headers = source.map("headers");
  const secrets = Object.values(headers).flatMap((value) => [value, value.replace(/^\S+ /, "")]);
  const place = `credential_source.url ${url.origin}${url.pathname}`;
  const answer = await sendForToken(services, {
    service: place,
    origin: source.origin,
    method: "GET",
    url,
    headers,
    secrets,
  });
  if (answer.status !== 200) {
    throw googleError(
      "SUBJECT",
      `${source.origin}: ${place} responded with ${quoteRefusal(answer, secrets)}`,
    );
  }
  return inFormat(source, answer.body, `${source.origin}: ${place}`);
}

/** Reads the token in the `format` of the source: the whole text by default, or a field of JSON. */
function inFormat(source: CredentialFields, bytes: Buffer, place: string): string {
  const format = source.has("format") ? source.object("format") : undefined;
  const type = format?.optional("type") ?? "text";
  if (type === "text") return bytes.toString("utf8").trim();
  if (type !== "json" || format === undefined) {
    throw googleError("FILE", `${source.path}format.type in ${source.origin} must be text or json`);
  }
  const name = format.string("subject_token_field_name");
  const token = readJsonObject(bytes, { valuesMax: 10_000 })?.[name];
  if (typeof token === "string") return token;
  throw googleError("SUBJECT", `${place} must contain JSON with a string ${JSON.stringify(name)}`);
}

/** Reads what is at the URL in a field; undefined if there is no such field. */
type MetadataReader = (field: string, under?: string) => Promise<Buffer | undefined>;

/**
 * Signs a request as AWS requires, which proves the identity of the machine or of the variables AWS_… to
 * Google. Google sends the request to AWS.
 *
 * @throws GoogleError
 * @see https://google.aip.dev/auth/4117#determining-the-subject-token-in-aws
 */
async function awsSubjectToken(
  services: TokenServices,
  { audience, origin }: ExternalAccount,
  source: CredentialFields,
): Promise<string> {
  const { env, now, redact } = services;
  const read = metadataReader(services, source);
  const region =
    variable(env, "AWS_REGION") ??
    variable(env, "AWS_DEFAULT_REGION") ??
    (await regionOfMachine(read));
  const keys = keysIn(env) ?? (await keysOfMachine(read));
  if (region === undefined || !/^[a-z\d-]+$/.test(region) || keys === undefined) {
    throw noIdentity(origin, "the AWS credentials or the region are missing or invalid");
  }
  for (const secret of [keys.secretAccessKey, keys.sessionToken]) if (secret) redact(secret);
  const url = source.string("regional_cred_verification_url").replace("{region}", region);
  const method = "POST";
  const headers = signedHeaders(
    {
      method,
      url: new URL(url),
      headers: { "x-goog-cloud-target-resource": audience },
      body: "",
      region,
      service: "sts",
      now: new Date(now()),
    },
    keys,
  );
  const list = Object.entries({ ...headers, host: new URL(url).host });
  return encodeURIComponent(
    JSON.stringify({ url, method, headers: list.map(([key, value]) => ({ key, value })) }),
  );
}

function keysIn(env: TokenServices["env"]): AwsKeys | undefined {
  const accessKeyId = variable(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = variable(env, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: variable(env, "AWS_SESSION_TOKEN") };
}

function variable(env: TokenServices["env"], name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

async function keysOfMachine(read: MetadataReader): Promise<AwsKeys | undefined> {
  const role = (await read("url"))?.toString().trim() ?? "";
  const found = role === "" ? undefined : await read("url", `/${role}`);
  if (found === undefined) return undefined;
  const { AccessKeyId, SecretAccessKey, Token } = readJsonObject(found) ?? {};
  if (typeof AccessKeyId !== "string" || typeof SecretAccessKey !== "string") return undefined;
  const sessionToken = typeof Token === "string" ? Token : undefined;
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken };
}

/** The zone of the machine, such as `us-east-2b`, without its letter. */
const regionOfMachine = async (read: MetadataReader): Promise<string | undefined> =>
  (await read("region_url"))?.toString().trim().slice(0, -1);

/** Sends a token of the metadata service with each request, if the file says where to get one. */
function metadataReader(services: TokenServices, source: CredentialFields): MetadataReader {
  const { origin } = source;
  const service = "the metadata service of AWS";
  const header = "x-aws-ec2-metadata-token";
  let session: Promise<string> | undefined;

  async function send(method: "GET" | "PUT", url: string, name: string, value: string) {
    const headers = value === "" ? {} : { [name]: value };
    const secrets = method === "GET" && value !== "" ? [value] : [];
    const request = { service, origin, method, url, headers, secrets } as const;
    const { status, body } = await sendForToken(services, request);
    if (status === 200) return body;
    throw noIdentity(origin, `${service} responded with HTTP status ${status}`);
  }

  async function startSession(): Promise<string> {
    const url = source.optional("imdsv2_session_token_url");
    if (url === undefined) return "";
    return (await send("PUT", url, `${header}-ttl-seconds`, "300")).toString().trim();
  }

  return async (field, under = "") => {
    const url = source.optional(field);
    if (url === undefined) return undefined;
    const token = await (session ??= startSession());
    return send("GET", `${url}${under}`, header, token);
  };
}

const noIdentity = (origin: string, why: string): GoogleError =>
  googleError(
    "SUBJECT",
    `${origin}: cannot get an AWS identity: ${why}; run on an AWS machine that has a role, or set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION`,
  );
