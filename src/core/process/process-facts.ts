import { readFileSync } from "node:fs";
import { hasCode } from "./system-error";

/** The facts that the system reports about a process that it still lists. */
interface ProcessFacts {
  /**
   * True if the process has ended and its parent has not read its exit code. In a container, that may never
   * happen.
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
function factsInProc(pid: number): ProcessFacts | undefined {
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

/**
 * Identifies a process in a file, so that other processes can check whether it is still running.
 */
export interface ProcessMark {
  readonly pid: number;
  /**
   * Distinguishes the process from a later one with the same PID; undefined where the system does
   * not report it.
   */
  readonly start: string | undefined;
}

let own: ProcessMark | undefined;

/**
 * Returns the mark of a running process.
 *
 * @param pid the process @default this process
 */
export function processMark(pid: number = process.pid): ProcessMark {
  if (pid === own?.pid) return own;
  const mark = { pid, start: processFacts(pid)?.start };
  if (pid === process.pid) own = mark;
  return mark;
}

/**
 * Checks whether a process on this machine is running, including processes of other users. A zombie, whose
 * parent has not read its exit code, does not count as running.
 */
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
