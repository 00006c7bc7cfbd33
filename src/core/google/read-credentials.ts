import { homedir } from "node:os";
import { readSmallFile, isFileProblem } from "../process/files";
import type { Credentials, TrustedServices } from "./credentials";
import { googleError, type GoogleError } from "./google-error";
import { parseCredentials } from "./parse-credentials";

/** Real files are a few kilobytes long. */
const maxBytes = 1_000_000;

interface CredentialsSource {
  /** The setting or variable, for messages. */
  readonly name: string;
  /** True if messages may show the path. @default true */
  readonly isPathShown?: boolean | undefined;
}

/**
 * Reads credentials from a path, or from JSON.
 *
 * @throws GoogleError `FILE` or `URL`. The message shows nothing of the credentials.
 */
export async function readCredentials(
  pathOrJson: string,
  source: CredentialsSource,
  trusted: TrustedServices,
): Promise<Credentials> {
  if (pathOrJson.trimStart().startsWith("{")) {
    return parseCredentials(pathOrJson, source.name, trusted);
  }
  if (looksSecret(pathOrJson)) {
    throw googleError(
      "FILE",
      `${source.name} is neither a path nor JSON; it looks like a token or a key (an access token belongs in access_token or GOOGLE_OAUTH_ACCESS_TOKEN)`,
    );
  }
  const path = pathOrJson.replace(/^~(?=[\\/])/, () => homedir());
  const credentials = await readCredentialsFile(path, source, trusted);
  if (credentials !== undefined) return credentials;
  throw unreadable(path, source, "it does not exist");
}

/**
 * Reads a file of credentials; undefined if it does not exist.
 *
 * @throws GoogleError
 */
export async function readCredentialsFile(
  path: string,
  source: CredentialsSource,
  trusted: TrustedServices,
): Promise<Credentials | undefined> {
  try {
    const text = await readSmallFile(path, maxBytes);
    if (text === undefined) return undefined;
    const { name, isPathShown = true } = source;
    const origin = isPathShown ? `${name} (${JSON.stringify(path)})` : name;
    return parseCredentials(text, origin, trusted);
  } catch (error) {
    if (isFileProblem(error)) throw unreadable(path, source, error.message);
    throw error;
  }
}

function unreadable(
  path: string,
  { name, isPathShown = true }: CredentialsSource,
  why: string,
): GoogleError {
  const file = isPathShown ? `the file ${JSON.stringify(path)}` : "the file";
  return googleError("FILE", `${name}: ${file} cannot be used as Google credentials: ${why}`);
}

const looksSecret = (text: string): boolean =>
  text.startsWith("ya29.") || text.includes("PRIVATE KEY") || !/^[^\r\n]{1,1024}$/.test(text);
