import { processFacts } from "./process-facts";
import { hasCode } from "./system-error";

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
 * Whether a process on this machine is running, including processes of other users. A zombie, whose
 * parent has not read its exit code, is not running.
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
