import type { ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { build } from "esbuild";
import { compileHere } from "../../../cli/provider-package/compiled/compile-here";

/** The bundled fixture in a separate folder, which is also used for its sockets. */
export interface Fixture {
  readonly command: [string, ...string[]];
  readonly env: Record<string, string | undefined>;
  readonly socketFolder: string;
  /** Bundles another entry point in this folder. */
  readonly bundle: (name: string) => Promise<string>;
  readonly remove: () => void;
}

/** Returns the first line that a process prints. Fails if it ends without one. */
export function firstOutput(child: ChildProcessByStdio<Writable, Readable, Readable | null>) {
  return new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      const [line, ...more] = text.split("\n");
      if (line !== undefined && more.length > 0) resolve(line);
    });
    child.once("close", () => {
      reject(new Error(`The process ended and said only ${JSON.stringify(text)}.`));
    });
  });
}

/** How a provider runs. */
export const forms = ["with Node.js", "compiled"] as const;

/** Bundles `fixture-provider.ts` like a provider, and compiles it if it is to be. */
export async function buildFixture(
  form: (typeof forms)[number] = "with Node.js",
): Promise<Fixture> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "fx-"));
  const bundle = async (name: string): Promise<string> => {
    const outfile = join(folder, `${name}.js`);
    await build({
      entryPoints: [join(__dirname, `${name}.ts`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      minify: true,
    });
    return outfile;
  };
  const provider = await bundle("fixture-provider");
  const env = { PLUGIN_UNIX_SOCKET_DIR: folder, NODE_EXTRA_CA_CERTS: undefined, TF_LOG: undefined };
  return {
    command:
      form === "compiled" ? [await compiled(folder, provider)] : [process.execPath, provider],
    env,
    socketFolder: folder,
    bundle,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function compiled(folder: string, provider: string): Promise<string> {
  const executable = join(folder, "fixture");
  const content = await compileHere(readFileSync(provider, "utf8"));
  writeFileSync(executable, content, { mode: 0o755 });
  return executable;
}
