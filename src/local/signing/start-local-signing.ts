import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { writeFileAtomically } from "../../core/process/files";
import { hasCode, standardErrorOf } from "../../core/process/system-error";
import { localServiceError } from "../service/service";
import {
  ignoreContent,
  keepTokenFresh,
  type LocalSigningAddresses,
  type LocalSigningFiles,
  localFiles,
  writeFiles,
} from "./local-files";
import {
  bindServices,
  type BoundServices,
  choosePorts,
  type LocalSigningSettings,
  openServices,
  savePorts,
  type StoredContent,
} from "./open-services";
import { storeSampleImage } from "./registry/stored-images";
import { timestampPath } from "./timestamp/timestamp";
import type { TokenSubject } from "./token-issuer";

export interface LocalSigning {
  readonly addresses: LocalSigningAddresses;
  /** Host of image references: `127.0.0.1:port`. */
  readonly registryHost: string;
  readonly files: LocalSigningFiles;
  /** The sample image, by digest; undefined if none was requested. */
  readonly sampleImage: string | undefined;
  /** Environment variables through which other tools find keys and certificates. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stored: StoredContent;
  /** Creates an identity token for the audience `sigstore`, valid for 10 minutes. */
  issueToken(subject: TokenSubject): string;
  /** Closes all connections, stops listening, and waits until everything is written. */
  close(): Promise<void>;
}

const run = promisify(execFile);

/**
 * Refuses a folder for keys if a git repository tracks files in it: everyone with the repository has the keys, and new
 * keys would be committed, too.
 *
 * @param folder may not exist
 * @throws LocalServiceError
 */
export async function refuseTrackedKeys(folder: string): Promise<void> {
  const existing = [...foldersUp(folder)].find((path) => existsSync(path)) ?? folder;
  const args = ["--literal-pathspecs", "ls-files", "-z", "--", relative(existing, folder) || "."];
  let tracked: string;
  try {
    ({ stdout: tracked } = await run("git", args, { cwd: existing, env: environment() }));
  } catch (failure) {
    const problem = problemOf(failure, existing);
    if (problem === undefined) return;
    throw localServiceError(
      "KEYS",
      `Git cannot check whether a repository contains the keys in ${folder}: ${problem}.`,
      { advice: "Correct this, or choose a --folder outside of the repository.", cause: failure },
    );
  }
  if (tracked === "") return;
  const above = dirname(folder);
  throw localServiceError(
    "KEYS",
    `A git repository contains keys in ${folder}: everyone with a copy of it can sign with them.`,
    {
      advice: `To get new keys, delete the folder ${above} and run \`git rm -r --cached ${above}\`.`,
    },
  );
}

/** Returns the environment without variables such as GIT_DIR, which hooks have: they name another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}

/** Returns the reason why git cannot list tracked files; undefined if there is no repository. */
function problemOf(failure: unknown, folder: string): string | undefined {
  if (hasCode(failure, "ENOENT")) {
    const isInRepository = [...foldersUp(folder)].some((path) => existsSync(join(path, ".git")));
    return isInRepository ? "git is not on PATH" : undefined;
  }
  const words = standardErrorOf(failure);
  return words.includes("not a git repository") ? undefined : words.slice(0, 500);
}

/** A folder and its parents. */
function* foldersUp(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* foldersUp(dirname(folder));
}

/**
 * Starts all signing services on the loopback interface: an image registry, a certificate authority with its
 * log, a transparency log, a timestamp authority, and a token issuer.
 *
 * Keys are created once for each folder. Only one run at a time can use a folder.
 *
 * @throws LocalServiceError
 */
export async function startLocalSigning(settings: LocalSigningSettings): Promise<LocalSigning> {
  const folder = resolve(settings.folder);
  await refuseTrackedKeys(join(folder, "keys"));
  // Before anything is written: a port in use leaves no trace.
  const bound = await bindServices(await choosePorts(join(folder, "ports.json"), settings.port));
  try {
    return await serve(folder, bound, settings);
  } catch (failure) {
    await bound.close();
    throw failure;
  }
}

async function serve(
  folder: string,
  bound: BoundServices,
  settings: LocalSigningSettings,
): Promise<LocalSigning> {
  const { services } = bound;
  const { registry } = services;
  const { sampleImage: repository, email = "dev@example.com" } = settings;
  const sample =
    repository === undefined
      ? undefined
      : `${registry.host}/${repository}@${await storeSampleImage(join(folder, "registry"), repository)}`;
  await ignoreContent(folder);
  const { listeners, issuer, stored, trusted, settled } = await openServices(
    folder,
    services,
    settings,
  );
  bound.serve(listeners);
  await savePorts(join(folder, "ports.json"), services);
  const addresses = {
    registry: registry.url,
    certificateAuthority: services.certificateAuthority.url,
    transparencyLog: services.transparencyLog.url,
    timestampAuthority: `${services.timestampAuthority.url}${timestampPath}`,
    tokenIssuer: services.tokenIssuer.url,
  };
  const files = localFiles(folder);
  const environment = await writeFiles(files, { addresses, ...trusted });
  if (sample === undefined) await rm(files.sampleImage, { force: true });
  else await writeFileAtomically(files.sampleImage, sample);
  const stopToken = await keepTokenFresh(files.identityToken, () => issuer.issue({ email }));
  return {
    addresses,
    registryHost: registry.host,
    files,
    sampleImage: sample,
    environment,
    stored,
    issueToken: (subject) => issuer.issue(subject),
    close: async () => {
      stopToken();
      await bound.close();
      await settled();
    },
  };
}
