import { fileURLToPath } from "node:url";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { isUsersFile, type SourcePositions } from "./source-position";

/** Returns the first place in a formatted stack trace that is in the user's code. */
export function firstUserPosition(
  stack: string,
  sources: SourcePositions,
): SourcePosition | undefined {
  for (const line of stack.split("\n")) {
    const position = positionIn(line);
    if (position !== undefined && isUsersFile(position.file)) return sources.sourceOf(position);
  }
  return undefined;
}

/** Reads a frame such as `at new WatchStack (/app/watch.ts:14:18)`. */
function positionIn(frame: string): SourcePosition | undefined {
  const [, path = "", line, column] =
    /^\s+at (?:.*\()?((?:file:\/\/|[/\\]|[a-zA-Z]:)[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (line === undefined) return undefined;
  const file = path.startsWith("file:") ? fileURLToPath(path) : path;
  return { file, line: Number(line), column: Number(column) };
}
