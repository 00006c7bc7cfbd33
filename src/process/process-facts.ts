import { readFileSync } from "node:fs";

/** What the system says of a process that it still lists. */
export interface ProcessFacts {
  /** It has ended, and its parent has not asked for its exit code: in a container it may never. */
  readonly isZombie: boolean;
  /** Tells it from an earlier or later process with the same number, on this machine. */
  readonly start: string;
}

/** Undefined where the system does not say, or says nothing of such a process. */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? factsInProc(pid) : factsFromPs(pid);
}

/** proc_pid_stat(5) */
export function factsInProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state is in parentheses, and may hold spaces and more of them.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", ticks = ""] = [fields[0], fields[19]];
    return { isZombie: /^[ZX]/.test(state), start: `${bootId()}/${ticks}` };
  } catch {
    return undefined;
  }
}

let knownBootId: string | undefined;

/** Start times count from here. */
function bootId(): string {
  try {
    return (knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  } catch {
    return (knownBootId ??= "");
  }
}

/** What POSIX has for it; it starts a process, so it is not for Linux. */
export function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    // Loaded when it is needed: every start of a provider would pay for it.
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
