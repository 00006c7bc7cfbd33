import { readFileSync } from "node:fs";

/** Whether a process of this machine is running; one that belongs to somebody else counts. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** Has ended, but nobody has asked for its exit code: the first process of a container may never. */
function isZombie(pid: number): boolean {
  try {
    // proc_pid_stat(5): the name before the state is in parentheses, and may hold more of them.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return /^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
  } catch {
    return false;
  }
}
