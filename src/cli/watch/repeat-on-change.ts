import type { Interruption } from "../exec/interruption";
import { failureOf, printFailure, tell } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import { SourceWatcher } from "./source-watcher";
import { printableLine } from "../../core/redaction/printable";

/**
 * Runs something, and again after each change of a project's sources, until it is interrupted. A failure is printed,
 * not thrown: the next change may fix it.
 *
 * @param run receives the paths of the files that have changed
 */
export async function repeatOnChange(
  { folder, output }: Project,
  interruption: Interruption,
  run: (changed: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const watcher = new SourceWatcher(folder, output);
  await watcher.begin();
  let changed: readonly string[] = [];
  while (interruption.exitCode === undefined) {
    await run(changed).catch((failure: unknown) => {
      printFailure(failureOf(failure), false);
    });
    const written = await watcher.endRun();
    if (written.length > 0)
      tell(`ignoring changes to what the app itself writes: ${listed(written)}`);
    if (interruption.aborted.aborted) break;
    tell("waiting for changes; Ctrl-C ends it");
    changed = await watcher.next(interruption.aborted);
    if (changed.length > 0) tell(`changed: ${shortened(changed)}`);
  }
}

/** A name of a file can have several lines. */
const listed = (paths: readonly string[]): string => paths.map(printableLine).join(", ");

const shownFiles = 3;

function shortened(paths: readonly string[]): string {
  const more = paths.length - shownFiles;
  return `${listed(paths.slice(0, shownFiles))}${more > 0 ? ` and ${more} more` : ""}`;
}
