import { readJsonObject } from "../json/parse-json";
import { readSmallFile, isFileProblem } from "../process/files";
import { quoteRefusal } from "../http/service-call";
import type { ExternalAccount } from "./credentials";
import { googleError } from "./google-error";
import { CredentialFields } from "./credential-fields";
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
  const { subject, origin } = account;
  const token = await find();
  if (token === "") throw googleError("SUBJECT", `${origin}: the token in its source is empty`);
  services.redact(token);
  return token;

  async function find(): Promise<string> {
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
      case "aws": {
        const { awsSubjectToken } = await import("./aws-subject-token.js");
        return awsSubjectToken(services, account, source);
      }
    }
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
  throw googleError("SUBJECT", `${place} has no JSON with a text ${JSON.stringify(name)}`);
}
