import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpuMs } from "./process-figures";

/** Starts a program, and returns the CPU time of all its threads until its first output, in milliseconds. */
export async function cpuAtFirstOutput(
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<number> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...more };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const used = cpuMs(child.pid ?? 0);
  child.kill("SIGKILL");
  await once(child, "close");
  return used;
}
