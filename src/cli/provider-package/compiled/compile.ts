import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { standardErrorOf } from "../../../core/process/system-error";
import { runtimeFor } from "./runtime";
import type { RuntimeStore } from "./runtime-store";

/** The code to compile, and for which platform. */
export interface CompileOptions {
  /** The code of {@link oneFile}. */
  readonly code: string;
  /** The platform that runs the executable, such as `windows_amd64`. */
  readonly platform: string;
  /** This machine's platform, on which it is compiled. */
  readonly host: string;
  readonly runtimes: RuntimeStore;
}

const compileMs = 300_000;

/**
 * - The code is compiled in advance, and less eagerly compiled again while it runs: most providers run for a
 *   fraction of a second.
 * - Files in the working folder must neither run code nor set variables.
 */
const options = [
  "--compile",
  "--bytecode",
  "--compile-jit-policy=3",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

/**
 * Compiles code to an executable that contains its runtime. The same code gives the same bytes.
 *
 * @throws Error if there is no runtime for a platform, or if Bun fails
 */
export async function compile({ code, platform, host, runtimes }: CompileOptions): Promise<Buffer> {
  const { target } = runtimeFor(platform);
  const compiler = await runtimes.runtime(host);
  const runtime = platform === host ? compiler : await runtimes.runtime(platform);
  const folder = await mkdtemp(join(tmpdir(), "trivet-compile-"));
  try {
    await writeFile(join(folder, "provider.cjs"), code);
    const platformOptions = ["--target", target, "--compile-executable-path", runtime];
    const files = ["provider.cjs", "--outfile", "provider"];
    await promisify(execFile)(compiler, ["build", ...options, ...platformOptions, ...files], {
      cwd: folder,
      timeout: compileMs,
      // Settings for Bun's own command would apply.
      env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder },
    });
    const made = (await readdir(folder)).find((name) => /^provider(?:\.exe)?$/.test(name));
    if (made === undefined) throw new Error("Bun has compiled nothing.");
    return await readFile(join(folder, made));
  } catch (cause) {
    const said = standardErrorOf(cause);
    if (said === "") throw cause;
    throw new Error(`Bun cannot compile the provider for ${platform}.\n${said}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
