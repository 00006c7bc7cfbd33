import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fence, fencesOf, root } from "./page";

/** What differs from run to run, and what stands for it in a comparison. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\bsha256([:-])[\da-f]{4,64}…?/g, "sha256$1DIGEST"],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, "UUID"],
  [/\b[\da-f]{8}…|\b[\da-f]{40,64}\b/g, "HASH"],
  [/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3})?Z?\b/g, "TIME"],
  [/\b127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/\b10\.\d+\.\d+\.\d+\b/g, "10.ADDRESS"],
  [/\b(entry|in) \d+\b/g, "$1 NUMBER"],
  [/^.*: still .*\n/gm, ""],
  [/ \(\d+ s\)/g, ""],
  [/\b[\w.-]+@[\w-]+ has held/g, "SOMEBODY has held"],
  // Folders of this machine: only the names at their ends are the page's.
  [/(?<![\w.:/…])\/(?:[\w.-]+\/)+/g, "FOLDER/"],
];

const normal = (text: string): string =>
  varying.reduce((given, [pattern, stands]) => given.replaceAll(pattern, stands), text);

/** What a page shows in the fence with this name. */
export const shown = (path: string, name: string): string => named(path, name).text.trimEnd();

/** The commands that a page shows before the fence with this name, one a line. */
export function commandsBefore(path: string, name: string): readonly string[] {
  const { line } = named(path, name);
  const shell = fencesIn(path).filter((each) => each.language === "sh" && each.line < line);
  const commands = (shell.at(-1)?.text ?? "").trim();
  expect(commands).not.toBe("");
  return commands.split("\n");
}

const fencesIn = (path: string): readonly Fence[] =>
  fencesOf(readFileSync(join(root, path), "utf8"));

function named(path: string, name: string): Fence {
  const [found, ...others] = fencesIn(path).filter(
    (each) => isOutput(each) && each.keywords[0] === name,
  );
  if (found !== undefined && others.length === 0) return found;
  throw new Error(`${path} must have one fence with the name ${name}`);
}

/**
 * Expects that an output contains what a page shows: `…` is what the page leaves out, and an empty line may be anywhere.
 */
export function expectShown(output: string, text: string): void {
  const lines = normal(text)
    .split("\n")
    .filter((line) => line !== "");
  const escaped = lines.map((line) => line.trimEnd().replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(escaped.join("\n+").replaceAll("…", "[^]*"));
  expect(normal(output.replaceAll("\r", ""))).toMatch(pattern);
}

/** Whether a fence shows what something prints, not what somebody writes. */
export const isOutput = ({ language }: Fence): boolean => !written.includes(language);

const written = [
  "ts",
  "typescript",
  "hcl",
  "terraform",
  "json",
  "yaml",
  "cue",
  "lua",
  "diff",
  "sh",
];
