import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { writeFileAtomically } from "../../core/process/files";
import { hasCode, standardErrorOf } from "../../core/process/system-error";
import {
  bindServices,
  type BoundServices,
  choosePorts,
  savePorts,
  openServices,
} from "./open-services";
import { ignoreContent, keepTokenFresh, localFiles, writeFiles } from "./local-files";
import type { LocalSigning, LocalSigningSettings } from "./local-signing";
import { storeSampleImage } from "./registry/stored-images";
import { timestampPath } from "./timestamp/timestamp";

const run = promisify(execFile);

/**
 * Refuses a folder for keys if a git repository tracks files in it: anyone with the repository has those keys
 * too, and keys that replace them would be committed.
 *
 * @param folder it need not exist
 * @throws Error with a message for the user
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
    throw new Error(
      `it is unknown whether a git repository contains the keys in ${folder}: ${problem}; ` +
        "choose a --folder outside of the repository, or correct this",
      { cause: failure },
    );
  }
  if (tracked === "") return;
  const above = dirname(folder);
  throw new Error(
    `a git repository contains keys in ${folder}, so everyone with a copy of it can sign with them; ` +
      `delete the folder ${above} and run \`git rm -r --cached ${above}\` to get new keys`,
  );
}

/** Variables such as GIT_DIR, which hooks have, would name another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}

/** The reason why git cannot list tracked files; undefined if there is no repository. */
function problemOf(failure: unknown, folder: string): string | undefined {
  if (hasCode(failure, "ENOENT")) {
    const isInRepository = [...foldersUp(folder)].some((path) => existsSync(join(path, ".git")));
    return isInRepository ? "git is not on PATH" : undefined;
  }
  const words = standardErrorOf(failure);
  return words.includes("not a git repository") ? undefined : words.slice(0, 500);
}

/** A folder and all above it. */
function* foldersUp(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* foldersUp(dirname(folder));
}

/**
 * Starts all signing services on the loopback interface: an image registry, a certificate authority with its
 * log, a transparency log, a timestamp authority, and a token issuer.
 *
 * Keys are created once for each folder. Only one run at a time can use a folder.
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
