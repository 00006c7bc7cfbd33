import { createHash } from "node:crypto";
import { type Dirent } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { CommandError } from "../invocation/failure";

/** The sources of a project at one moment, by their paths in the project. */
export type SourceSnapshot = ReadonlyMap<string, FileState>;

interface FileState {
  readonly size: number;
  readonly changedAt: number;
  readonly digest: string;
}

/** The limit for a project: more files would keep a processor busy. */
const maxFiles = 20_000;

/** Larger files are not read. They count as changed if their size or time changes. */
const maxReadBytes = 1024 * 1024;

/**
 * Reads the sources of a project: all files except for packages, synthesized stacks, states, compiled TypeScript, and
 * everything whose name begins with a dot.
 *
 * @param output the folder of the synthesized stacks, relative to that of the project
 * @param before an earlier snapshot, whose unchanged files are not read again
 * @throws CommandError if there are too many files
 */
export async function sourceSnapshot(
  folder: string,
  output: string,
  before: SourceSnapshot = new Map(),
): Promise<SourceSnapshot> {
  const files = withoutCompiled(await filesIn(folder, resolve(folder, output), folder));
  const states = await Promise.all(
    files.map(async (path) => {
      const name = relative(folder, path);
      const state = await stateOf(path, before.get(name)).catch(() => undefined);
      // Removed in the meantime.
      return state === undefined ? [] : [[name, state] as const];
    }),
  );
  return new Map(states.flat());
}

/** Returns the paths of the files that differ between two snapshots. */
export function changedFiles(before: SourceSnapshot, after: SourceSnapshot): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.digest !== after.get(path)?.digest).sort();
}

async function filesIn(folder: string, output: string, project: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isIgnored(entry.name) || path === output) continue;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory()) found.push(...(await filesIn(path, output, project)));
    if (found.length > maxFiles) {
      throw new CommandError(
        `${project} contains more than ${maxFiles} files, too many to watch.`,
        "Move files that are not part of the app elsewhere, or run `trivet deploy` after each change.",
      );
    }
  }
  return found;
}

const isIgnored = (name: string): boolean =>
  name.startsWith(".") ||
  name === "node_modules" ||
  /\.(tfstate(\..*)?|tsbuildinfo|tfplan|log)$/.test(name);

/** Leaves out the compiler's output for a source, in any folder. */
function withoutCompiled(paths: readonly string[]): readonly string[] {
  const sources = new Set(
    paths.flatMap((path) => /^(.*)(?<!\.d)\.[cm]?tsx?$/.exec(basename(path))?.[1] ?? []),
  );
  return paths.filter((path) => {
    const [, name] = /^(.*?)(?:\.d\.[cm]?ts|\.[cm]?jsx?)(?:\.map)?$/.exec(basename(path)) ?? [];
    return name === undefined || !sources.has(name);
  });
}

async function stateOf(path: string, before: FileState | undefined): Promise<FileState> {
  const { size, mtimeMs: changedAt } = await stat(path);
  if (before?.size === size && before.changedAt === changedAt) return before;
  const digest =
    size > maxReadBytes
      ? `${size}:${changedAt}`
      : createHash("sha256")
          .update(await readFile(path))
          .digest("hex");
  return { size, changedAt, digest };
}
