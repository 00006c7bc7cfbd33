import { readFileSync } from "node:fs";
import { hasCode } from "./system-error";

/** What the system reports about a process. */
interface ProcessFacts {
  /** True if the process has ended, but its parent has not read its exit code. In a container, it may never do so. */
  readonly isZombie: boolean;
  /** Distinguishes the process from earlier and later ones with the same PID. */
  readonly start: string;
}

/** Returns the facts about a process; undefined if the system does not report them. */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? factsInProc(pid) : factsFromPs(pid);
}

/** @see proc_pid_stat(5) */
function factsInProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state is in parentheses, and can itself contain spaces and parentheses.
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

/** Starts a process, so Linux uses /proc instead. */
export function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    // Loaded on first use, because it would delay the start of a provider.
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

/** Identifies a process in a file, so that other processes can check whether it is still running. */
export interface ProcessMark {
  readonly pid: number;
  /** Distinguishes the process from later ones with the same PID; undefined if the system does not report it. */
  readonly start: string | undefined;
}

let own: ProcessMark | undefined;

/** Returns the mark of a running process. @param pid by default this process */
export function processMark(pid: number = process.pid): ProcessMark {
  if (pid === own?.pid) return own;
  const mark = { pid, start: processFacts(pid)?.start };
  if (pid === process.pid) own = mark;
  return mark;
}

/** Checks whether a process on this machine, of any user, is running. A zombie is not. */
export function isProcessAlive({ pid, start }: ProcessMark): boolean {
  // For the system, 0 and negative numbers are process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, "EPERM")) return false;
  }
  const facts = processFacts(pid);
  if (facts === undefined) return true;
  return !facts.isZombie && (start === undefined || start === facts.start);
}
