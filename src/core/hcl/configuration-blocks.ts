import { readdir } from "node:fs/promises";
import { codeOf } from "./template-sequences";

/** Checks whether Terraform reads a file as configuration. Hidden ones are of editors. */
export const isConfiguration = (name: string): boolean => /^[^.].*\.tf(?:\.json)?$/s.test(name);

/** Checks whether a file of a configuration changes the blocks of others, which Terraform reads first. */
export const isOverride = (name: string): boolean => /(?:^|_)override\.tf(?:\.json)?$/.test(name);

/** Returns the blocks of a file, or those directly in one of its blocks. */
export const blocksIn = (file: string, within?: BodyItem): readonly BodyItem[] =>
  itemsIn(file, codeOf(file, "body"), within?.start, within?.end).filter(
    ({ kind }) => kind === "block",
  );

const labelsIn = (header: string): readonly string[] =>
  [...header.matchAll(/"((?:[^"\\]|\\.)*)"|([\p{ID_Continue}-]+)/gu)].map(
    ([, quoted, bare = ""]) => quoted ?? bare,
  );

/** An argument or a block of a body, or of a whole file. */
export interface BodyItem {
  readonly kind: "argument" | "block";
  readonly name: string;
  readonly labels: readonly string[];
  /** The indexes of the whole item; an argument reaches to the next item. */
  readonly from: number;
  readonly to: number;
  /** The indexes of the argument's expression, or of what is between the braces of the block. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns what a body contains. Reports no errors: leaves out what is neither an argument nor a block.
 *
 * @param code the file without its strings and comments, as {@link codeOf} returns it
 */
export function itemsIn(
  file: string,
  code: string,
  start = 0,
  end = file.length,
): readonly BodyItem[] {
  const starts = lineStarts(code, start, end).filter((at) => /\S/.test(lineAt(code, at, end)));
  return starts.flatMap((line, at): BodyItem[] => {
    const to = starts[at + 1] ?? end;
    const [, before = "", name = "", assigned] =
      /^(\s*)([\p{ID_Start}_][\p{ID_Continue}-]*)\s*(=(?!=))?/u.exec(code.slice(line, to)) ?? [];
    if (name === "") return [];
    const from = line + before.length;
    const header = from + name.length;
    if (assigned !== undefined) {
      const start = code.indexOf("=", header) + 1;
      return [{ kind: "argument", name, labels: [], from, to, start, end: to }];
    }
    const [open, close] = [code.indexOf("{", header), code.lastIndexOf("}", to - 1)];
    if (open === -1 || open >= to || close < open) return [];
    const labels = labelsIn(file.slice(header, open));
    return [{ kind: "block", name, labels, from, to: close + 1, start: open + 1, end: close }];
  });
}

const lineAt = (code: string, at: number, end: number): string => {
  const next = code.indexOf("\n", at);
  return code.slice(at, next === -1 ? end : Math.min(next, end));
};

/** The starts of the lines that are in no bracket, and of a block behind another one. */
function lineStarts(code: string, start: number, end: number): readonly number[] {
  const found = [start];
  let depth = 0;
  for (const { 0: mark, index } of code.slice(start, end).matchAll(/[\n{}()[\]]/g)) {
    const next = start + index + 1;
    if (mark !== "\n") depth = Math.max(depth + ("{([".includes(mark) ? 1 : -1), 0);
    if (
      depth === 0 &&
      (mark === "\n" || (mark === "}" && blockStart.test(lineAt(code, next, end))))
    )
      found.push(next);
  }
  return found;
}

const blockStart = /^\s*[\p{ID_Start}_][\p{ID_Continue}-]*\s*\{/u;

/** Checks whether Terraform takes values of variables from a file without an option that names it. */
export const isVariableFile = (name: string): boolean =>
  /^(?:terraform|.*\.auto)\.tfvars(?:\.json)?$/.test(name);

/** Returns the names of such files in a folder. The values of later ones replace those of earlier ones. */
export async function variableFiles(folder: string): Promise<readonly string[]> {
  const isAutomatic = (name: string) => Number(name.includes(".auto."));
  return (await readdir(folder))
    .filter(isVariableFile)
    .sort((one, other) => isAutomatic(one) - isAutomatic(other) || (one < other ? -1 : 1));
}

/** Returns the texts of the variables in `TF_VAR_*`. */
export const environmentVariables = (
  env: NodeJS.ProcessEnv,
): readonly (readonly [name: string, text: string])[] =>
  Object.entries(env).flatMap(([key, text]) => {
    const name = /^TF_VAR_(.+)$/s.exec(key)?.[1];
    return name === undefined || text === undefined ? [] : [[name, text] as const];
  });
