import { execFileSync } from "node:child_process";

/** What a command has taken, with all processes that it has started. */
export interface Timing {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** A line of a shell that says what a command has taken, in the form that `parseTiming` reads. */
export const timed = (command: string): string =>
  `TIMEFORMAT="%R %U %S"; time ${command} >/dev/null`;

/** @param output what the line has written, errors included */
export function parseTiming(output: string): Timing {
  const [wall = 0, user = 0, system = 0] = (output.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { cpuMs: (user + system) * 1000, wallMs: wall * 1000 };
}

export function timeCommand(command: string): Timing {
  const script = `{ ${timed(command)}; } 2>&1`;
  return parseTiming(execFileSync("bash", ["-ec", script], { encoding: "utf8" }));
}
