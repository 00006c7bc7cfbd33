import { codeOf } from "./template-sequences";

/** Checks whether Terraform reads a file as configuration. It ignores hidden files, which editors create. */
export const isConfiguration = (name: string): boolean => /^[^.].*\.tf(?:\.json)?$/s.test(name);

/** Checks whether a file overrides blocks of the other files, which Terraform reads first. */
export const isOverride = (name: string): boolean => /(?:^|_)override\.tf(?:\.json)?$/.test(name);

/** Returns the blocks of a file, or the blocks directly in one of them. */
export const blocksIn = (file: string, within?: BodyItem): readonly BodyItem[] =>
  itemsIn(file, codeOf(file, "body"), within?.start, within?.end).filter(
    ({ kind }) => kind === "block",
  );

const labelsIn = (header: string): readonly string[] =>
  [...header.matchAll(/"((?:[^"\\]|\\.)*)"|([\p{ID_Continue}-]+)/gu)].map(
    ([, quoted, bare = ""]) => quoted ?? bare,
  );

/** An argument or a block of a body or a file. */
export interface BodyItem {
  readonly kind: "argument" | "block";
  readonly name: string;
  readonly labels: readonly string[];
  /** The whole item; an argument reaches to the next item. */
  readonly from: number;
  readonly to: number;
  /** The expression of an argument, or the content between the braces of a block. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the arguments and blocks of a body. Skips anything else without an error.
 *
 * @param code the file without strings and comments, from {@link codeOf}
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

/** Returns the starts of lines outside of brackets, and of blocks that follow another block on the same line. */
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
