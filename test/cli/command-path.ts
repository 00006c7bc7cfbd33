import type { Command } from "commander";

/** The words that run a command, without the name of the program. */
export function pathOf(command: Command): string[] {
  const path: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) path.unshift(at.name());
  return path;
}
