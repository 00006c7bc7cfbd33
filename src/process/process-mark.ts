import { processFacts } from "./process-facts";
import { hasCode } from "./system-error";

/** A process, as it is noted in a file for others to ask whether it still runs. */
export interface ProcessMark {
  readonly pid: number;
  /** Tells it from a later one with the same number; undefined where that cannot be told. */
  readonly start: string | undefined;
}

let own: ProcessMark | undefined;

/** @param pid a process that runs. @default this process */
export function processMark(pid: number = process.pid): ProcessMark {
  if (pid === own?.pid) return own;
  const mark = { pid, start: processFacts(pid)?.start };
  if (pid === process.pid) own = mark;
  return mark;
}

/**
 * Whether a process of this machine is running; one that belongs to somebody else counts, one that has
 * ended does not, even when its parent has not asked for its exit code.
 */
export function isProcessAlive({ pid, start }: ProcessMark): boolean {
  // The system takes 0 and negative numbers for groups of processes.
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
