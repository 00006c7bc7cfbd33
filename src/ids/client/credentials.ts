import { promises as files } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../json/is-object";
import { failureCode } from "../../http/failure";
import type { Properties } from "../../json/is-object";
import { parseJson } from "./json";

/** The key file of a service account. */
export interface ServiceAccountCredentials {
  readonly type: "service_account";
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly projectId: string | undefined;
}

/** The credentials of a user, with a refresh token. */
export interface AuthorizedUserCredentials {
  readonly type: "authorized_user";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

/** Google credentials. */
export type Credentials = ServiceAccountCredentials | AuthorizedUserCredentials;

const supported =
  "supported are service_account (a key file of a service account) and authorized_user (written by `gcloud auth application-default login`)";

/**
 * Reads Google credentials from a path or from JSON.
 *
 * A problem is a predicate, such as "is not …". It shows nothing of the credentials.
 */
export async function readCredentials(
  pathOrJson: string,
): Promise<Credentials | { readonly problem: string }> {
  const isJson = pathOrJson.trimStart().startsWith("{");
  if (isJson) return parseCredentials(pathOrJson, "the JSON");
  if (looksSecret(pathOrJson)) {
    return {
      problem:
        "is neither a path nor JSON; it looks like a token or a key (use access_token for an access token)",
    };
  }
  const path = pathOrJson.replace(/^~(?=[\\/])/, () => homedir());
  try {
    return parseCredentials(await files.readFile(path, "utf8"), `the file ${JSON.stringify(path)}`);
  } catch (failure) {
    const reason = failureCode(failure) ?? "for an unknown reason";
    return {
      problem: `names the file ${JSON.stringify(join(path))}, which cannot be read (${reason}); it must be the path or the content of a credentials file`,
    };
  }
}

function parseCredentials(text: string, source: string): Credentials | { problem: string } {
  const json = parseJson(text);
  if (!isObject(json)) return { problem: `does not contain a JSON object: ${source}` };
  const type = json["type"];
  if (type === "service_account") {
    const missing = missingFields(json, ["client_email", "private_key"]);
    if (missing !== undefined) return { problem: `has no ${missing}: ${source}` };
    return {
      type,
      clientEmail: stringOf(json, "client_email"),
      privateKey: stringOf(json, "private_key"),
      privateKeyId: stringOf(json, "private_key_id") || undefined,
      projectId: stringOf(json, "project_id") || undefined,
    };
  }
  if (type === "authorized_user") {
    const missing = missingFields(json, ["client_id", "client_secret", "refresh_token"]);
    if (missing !== undefined) return { problem: `has no ${missing}: ${source}` };
    return {
      type,
      clientId: stringOf(json, "client_id"),
      clientSecret: stringOf(json, "client_secret"),
      refreshToken: stringOf(json, "refresh_token"),
    };
  }
  // Only a plain identifier is shown: the field of a damaged file could contain anything.
  const kind = typeof type === "string" && /^[a-z_]{1,40}$/.test(type) ? `the type ${type}` : "no";
  return {
    problem: `contains credentials of ${kind === "no" ? "an unknown type" : kind}: ${source}; ${supported}`,
  };
}

function looksSecret(text: string): boolean {
  return text.startsWith("ya29.") || text.includes("PRIVATE KEY") || !/^[^\r\n]{1,255}$/.test(text);
}

function missingFields(json: Properties, names: readonly string[]): string | undefined {
  const missing = names.filter((name) => stringOf(json, name) === "");
  return missing.length === 0 ? undefined : missing.join(" and ");
}

function stringOf(json: Properties, name: string): string {
  const value = json[name];
  return typeof value === "string" ? value : "";
}
