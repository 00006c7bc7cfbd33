import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that has ended, and whose parent never reads its exit code. */
export interface Zombie {
  readonly pid: number;
  /** Ends the parent, which removes the zombie. */
  remove(): void;
}

/**
 * Creates a real zombie. A shell becomes `sleep`, which does not wait for the shell's child. Only
 * then does the child end, because its input ends.
 */
export async function makeZombie(): Promise<Zombie> {
  const script = "cat <&3 >/dev/null & echo $!; exec sleep 600 3<&-";
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit", "pipe"] });
  const remove = (): void => {
    parent.kill("SIGKILL");
  };
  try {
    const [data] = (await once(parent.stdio[1] as NodeJS.ReadableStream, "data")) as [Buffer];
    const pid = Number(data.toString());
    while (!proc(parent.pid, "cmdline").startsWith("sleep")) await sleep(5);
    (parent.stdio[3] as Writable).end();
    while (!/\) Z [^)]*$/.test(proc(pid, "stat"))) await sleep(5);
    return { pid, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const proc = (pid: number | undefined, file: string): string =>
  readFileSync(`/proc/${String(pid)}/${file}`, "latin1");
