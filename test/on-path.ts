import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of the first of these programs that is on `PATH`. */
export function onPath(...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

/** Counts a test as skipped for each program that is missing, so that the end of a run names it. */
export function skippedWithout(missing: readonly string[], what: string): void {
  for (const program of missing) {
    test.skip(`${what}, because of ${program}, which is not on PATH`, () => undefined);
  }
}
