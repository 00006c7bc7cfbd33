import { readFileSync } from "node:fs";

/** What the system reports about a process that it still lists. */
export interface ProcessFacts {
  /**
   * Whether the process has ended and its parent has not read its exit code. In a container, that
   * may never happen.
   */
  readonly isZombie: boolean;
  /**
   * Distinguishes the process from an earlier or later process with the same PID on this machine.
   */
  readonly start: string;
}

/**
 * Returns the facts about a process; undefined when the system does not list it or does not report
 * them.
 */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? factsInProc(pid) : factsFromPs(pid);
}

/** Reads the facts from /proc, on Linux; see proc_pid_stat(5). */
export function factsInProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state is in parentheses, and can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", ticks = ""] = [fields[0], fields[19]];
    return { isZombie: /^[ZX]/.test(state), start: `${bootId()}/${ticks}` };
  } catch {
    return undefined;
  }
}

let knownBootId: string | undefined;

/** Start times are relative to the boot. */
function bootId(): string {
  try {
    return (knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  } catch {
    return (knownBootId ??= "");
  }
}

/**
 * Reads the facts from `ps`, as POSIX defines it. It starts a process, so Linux uses /proc instead.
 */
export function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    // Loaded on first use, so that it does not delay the start of a provider.
    const text = process
      .getBuiltinModule("node:child_process")
      .execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
        stdio: ["ignore", "pipe", "ignore"],
      });
    const [, state = "", start = ""] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
    return start === "" ? undefined : { isZombie: state.startsWith("Z"), start };
  } catch {
    return undefined;
  }
}
