import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { initTUF } from "@sigstore/tuf";
import { serverMessage } from "../../../http/server-message";
import { isFileProblem, readGivenFile, writeFileAtomically } from "../../../process/files";
import { serviceUrl } from "../../../schema";
import { sha256Hex } from "../../oci/reference/descriptor";
import {
  readTrustedRoot,
  type Environment,
  type TrustMaterial,
  isTrustError,
  trustError,
  type TrustError,
} from "./trusted-root";

/**
 * Fetches the trusted root of the public instance, or of a mirror.
 *
 * @see {@link publicInstanceTarget}
 */
export async function publicInstanceTrust(
  environment: Environment,
  signal: AbortSignal,
): Promise<TrustMaterial> {
  return readTrustedRoot(await publicInstanceTarget("trusted_root.json", environment, signal));
}

/**
 * Fetches a file of the public instance, or of a mirror, with The Update Framework (TUF).
 *
 * Verified files are kept in a private folder. They are used for a day without a request, and until they expire if the network
 * fails. A file that fails verification is never used, and no older file instead of it.
 *
 * Only this file, which is loaded late, imports the client: it is large, and needs the network.
 *
 * @param environment the variables with the mirror (`TUF_MIRROR`, by default the public instance), the path of the mirror's
 *   initial root (`TUF_ROOT_JSON`), and the folder in which `trivet/tuf` keeps verified files (`TUF_ROOT`, by default
 *   `~/.cache`). Other tools use the same variables.
 * @throws TrustError
 * @see https://theupdateframework.github.io/specification/latest/
 */
export async function publicInstanceTarget(
  name: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<string> {
  const place = placeOf(environment);
  try {
    return await unlessAborted(readTarget(name, place), signal);
  } catch (error) {
    if (isTrustError(error)) throw error;
    throw trustError(
      "PUBLIC_INSTANCE",
      `${name} of ${place.name} could not be fetched: ${reasonOf(error)} (if it is not reachable, set ` +
        "trusted_root, and signing_config if you sign, in the provider's settings)",
      { cause: error },
    );
  }
}

/** The time for which kept files are used without a request. */
const freshMs = 24 * 3_600_000;

/** Reads the source of files, its initial root, and the place where they are kept. */
function placeOf(environment: Environment) {
  const value = (name: string): string | undefined => {
    const text = environment[name];
    return text === "" ? undefined : text;
  };
  const mirrorUrl = value("TUF_MIRROR");
  return {
    name: mirrorUrl === undefined ? "the public instance" : "the mirror in TUF_MIRROR",
    mirrorUrl,
    rootPath: value("TUF_ROOT_JSON"),
    cacheFolder: value("TUF_ROOT") ?? join(homedir(), ".cache"),
  };
}

type Place = ReturnType<typeof placeOf>;

async function readTarget(name: string, place: Place): Promise<string> {
  const { mirrorUrl, rootPath } = place;
  const cachePath = await openCache(place);
  const marker = join(cachePath, "refreshed");
  const fetchTarget = async (forceCache: boolean): Promise<string> => {
    const client = await initTUF({
      ...(mirrorUrl !== undefined && { mirrorURL: mirrorUrl.replace(/\/+$/, "") }),
      ...(rootPath !== undefined && { rootPath }),
      cachePath,
      forceCache,
      timeout: attemptMs,
      retry,
    });
    return client.getTarget(name);
  };
  if (await isFresh(marker)) {
    // Fails if what is kept is damaged, or lacks a new file.
    const kept = await fetchTarget(true).catch(() => undefined);
    if (kept !== undefined) return kept;
  }
  try {
    const text = await fetchTarget(false);
    await writeFileAtomically(marker, "", { mode: 0o600 });
    return text;
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
    // Fails if what is kept has expired.
    return fetchTarget(true).catch(() => {
      throw error;
    });
  }
}

const attemptMs = 10_000;
const retry = { retries: 2, factor: 2, minTimeout: 500 };

async function isFresh(marker: string): Promise<boolean> {
  try {
    const ageMs = Date.now() - (await stat(marker)).mtimeMs;
    return ageMs >= 0 && ageMs < freshMs;
  } catch {
    return false;
  }
}

const rootBytesMax = 512 * 1024;

/** Each initial root has its own folder, because each vouches only for its own files. */
async function openCache({ mirrorUrl, rootPath, cacheFolder }: Place): Promise<string> {
  if (mirrorUrl !== undefined && !serviceUrl.test(mirrorUrl)) {
    throw misuse("TUF_MIRROR must be an https URL, or an http URL of this machine");
  }
  if (mirrorUrl !== undefined && rootPath === undefined) {
    throw misuse("TUF_MIRROR needs TUF_ROOT_JSON, the path of the mirror's initial root.json");
  }
  // Other tools keep files of the same names in `TUF_ROOT`.
  const base = join(cacheFolder, "trivet", "tuf");
  const folder = rootPath === undefined ? base : join(base, await rootId(rootPath));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkIsPrivate(folder);
  return folder;
}

/** Anyone who can write to the folder can replace the root of trust. */
async function checkIsPrivate(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  if (isOurs && (process.platform === "win32" || (mode & 0o022) === 0)) return;
  throw misuse(
    `the folder ${JSON.stringify(folder)} is writable by other users: remove it, or set TUF_ROOT to another folder`,
  );
}

async function rootId(path: string): Promise<string> {
  const bytes = await readGivenFile(path, rootBytesMax, "any").catch((error: unknown) => {
    if (!isFileProblem(error)) throw error;
    throw misuse(
      `the file ${JSON.stringify(path)} in TUF_ROOT_JSON cannot be used: ${error.message}`,
      error,
    );
  });
  return sha256Hex(bytes).slice(0, 16);
}

const misuse = (problem: string, cause?: unknown): TrustError =>
  trustError("PUBLIC_INSTANCE", problem, { cause });

/** True if a request failed, as opposed to a verification. */
function isNetworkFailure(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    if ("statusCode" in cause) return Number(cause.statusCode) >= 500 || cause.statusCode === 429;
    return "code" in cause && typeof cause.code === "string" && /^E[A-Z_]+$/.test(cause.code);
  });
}

function reasonOf(error: unknown): string {
  const messages = causesOf(error).map(({ message }) => message.replace(/[.\s]+$/, ""));
  return serverMessage([...new Set(messages)].join(": "));
}

function causesOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  return [error, ...causesOf(error.cause, depth + 1)];
}

/** The client does not support abort signals. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error("cancelled or timed out"));
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
