import { promises as files } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../json/is-object";
import { failureCode } from "../../http/failure";
import { parseJson, type JsonObject } from "./json";

export interface ServiceAccountCredentials {
  readonly type: "service_account";
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly projectId: string | undefined;
}

export interface AuthorizedUserCredentials {
  readonly type: "authorized_user";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

export type Credentials = ServiceAccountCredentials | AuthorizedUserCredentials;

const supported =
  "supported are service_account (a key file of a service account) and authorized_user (written by `gcloud auth application-default login`)";

/**
 * Reads Google credentials given as a path or as the JSON text itself.
 *
 * A problem is a sentence about the value that shows nothing of its content.
 */
export async function readCredentials(
  pathOrJson: string,
): Promise<Credentials | { readonly problem: string }> {
  const isText = pathOrJson.trimStart().startsWith("{");
  if (isText) return parseCredentials(pathOrJson, "the JSON text");
  if (looksSecret(pathOrJson)) {
    return {
      problem:
        "is neither a path nor JSON text; it looks like a token or a key (an access token belongs into access_token)",
    };
  }
  const path = pathOrJson.replace(/^~(?=[\\/])/, () => homedir());
  try {
    return parseCredentials(await files.readFile(path, "utf8"), `the file ${JSON.stringify(path)}`);
  } catch (failure) {
    const reason = failureCode(failure) ?? "for an unknown reason";
    return {
      problem: `names the file ${JSON.stringify(join(path))}, which cannot be read (${reason}); give the path of a credentials file or its JSON text`,
    };
  }
}

function parseCredentials(text: string, source: string): Credentials | { problem: string } {
  const json = parseJson(text);
  if (!isObject(json)) return { problem: `holds no JSON object: ${source}` };
  const type = json["type"];
  if (type === "service_account") {
    const missing = missingFields(json, ["client_email", "private_key"]);
    if (missing !== undefined) return { problem: `lacks ${missing}: ${source}` };
    return {
      type,
      clientEmail: textOf(json, "client_email"),
      privateKey: textOf(json, "private_key"),
      privateKeyId: textOf(json, "private_key_id") || undefined,
      projectId: textOf(json, "project_id") || undefined,
    };
  }
  if (type === "authorized_user") {
    const missing = missingFields(json, ["client_id", "client_secret", "refresh_token"]);
    if (missing !== undefined) return { problem: `lacks ${missing}: ${source}` };
    return {
      type,
      clientId: textOf(json, "client_id"),
      clientSecret: textOf(json, "client_secret"),
      refreshToken: textOf(json, "refresh_token"),
    };
  }
  // Only a word is shown: the field of a mangled file could hold anything.
  const kind = typeof type === "string" && /^[a-z_]{1,40}$/.test(type) ? `the type ${type}` : "no";
  return {
    problem: `holds credentials of ${kind === "no" ? "no known type" : kind}: ${source}; ${supported}`,
  };
}

function looksSecret(text: string): boolean {
  return text.startsWith("ya29.") || text.includes("PRIVATE KEY") || !/^[^\r\n]{1,255}$/.test(text);
}

function missingFields(json: JsonObject, names: readonly string[]): string | undefined {
  const missing = names.filter((name) => textOf(json, name) === "");
  return missing.length === 0 ? undefined : missing.join(" and ");
}

function textOf(json: JsonObject, name: string): string {
  const value = json[name];
  return typeof value === "string" ? value : "";
}
