import { execFileSync } from "node:child_process";

/** The time of a command, including all processes that it started. */
export interface Timing {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Returns a shell line that prints the time of a command in the form that `parseTiming` reads. */
export const timed = (command: string): string =>
  `TIMEFORMAT="%R %U %S"; time ${command} >/dev/null`;

/**
 * Reads the time that a {@link timed} command took.
 *
 * @param output the output of the line, including standard error
 */
export function parseTiming(output: string): Timing {
  const [wall = 0, user = 0, system = 0] = (output.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { cpuMs: (user + system) * 1000, wallMs: wall * 1000 };
}

/** Runs a command and returns its time. */
export function timeCommand(command: string): Timing {
  const script = `{ ${timed(command)}; } 2>&1`;
  return parseTiming(execFileSync("bash", ["-ec", script], { encoding: "utf8" }));
}
