import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Runs a program from `probe/` in a new process and returns the measurements that it prints as
 * JSON.
 */
export async function runProbe(
  name: string,
  ...args: readonly string[]
): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await execute(
    process.execPath,
    [join(__dirname, "probe", `${name}.js`), ...args],
    {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: "", NODE_OPTIONS: "", CHECKPOINT_DISABLE: "1" },
      maxBuffer: 1 << 26,
    },
  );
  return JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as Record<string, number>;
}
