import { codeOf } from "./template-sequences";

/** A block of a file in Terraform's native syntax, or an attribute whose value is an object. */
export interface ConfigurationBlock {
  /** Such as `resource` or `locals`. */
  readonly type: string;
  /** Such as the type and the name of a resource. */
  readonly labels: readonly string[];
  /** The index of its first character. */
  readonly start: number;
  /** The index after its opening brace. */
  readonly bodyStart: number;
  /** The index after its closing brace; the end of the file if it is not closed. */
  readonly end: number;
  readonly isClosed: boolean;
}

/**
 * Returns the top-level blocks of a file in native syntax, or those directly in one of its blocks. Reports no
 * errors: reads as much as possible of a file that Terraform would refuse.
 */
export function blocksIn(file: string, within?: ConfigurationBlock): readonly ConfigurationBlock[] {
  const { bodyStart, end } = within ?? { bodyStart: 0, end: file.length };
  const code = codeOf(file, "expression").slice(0, end);
  const blocks: ConfigurationBlock[] = [];
  let open: Omit<ConfigurationBlock, "end" | "isClosed"> | undefined;
  let depth = 0;
  let outside = bodyStart;
  for (const { 0: brace, index: at } of code.slice(bodyStart).matchAll(/[{}]/g)) {
    const index = bodyStart + at;
    depth += brace === "{" ? 1 : -1;
    if (brace === "{" && depth === 1) open = headerIn(file, code, outside, index);
    if (depth > 0 || brace === "{") continue;
    depth = 0;
    outside = index + 1;
    if (open !== undefined) blocks.push({ ...open, end: outside, isClosed: true });
    open = undefined;
  }
  return open === undefined ? blocks : [...blocks, { ...open, end, isClosed: false }];
}

/** Reads the header of a block, which is on one line. Attributes may be on the lines before it. */
function headerIn(file: string, code: string, outside: number, brace: number) {
  const from = Math.max(outside, code.lastIndexOf("\n", brace) + 1);
  const [, before = "", type = ""] =
    /^([^\p{ID_Start}_]*)([\p{ID_Continue}-]*)/u.exec(code.slice(from, brace)) ?? [];
  const start = from + before.length;
  const labels = labelsIn(file.slice(start + type.length, brace));
  return { type, labels, start, bodyStart: brace + 1 };
}

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
    if (open === -1 || close < open) return [];
    const labels = labelsIn(file.slice(header, open));
    return [{ kind: "block", name, labels, from, to: close + 1, start: open + 1, end: close }];
  });
}

const lineAt = (code: string, at: number, end: number): string => {
  const next = code.indexOf("\n", at);
  return code.slice(at, next === -1 ? end : Math.min(next, end));
};

/** The starts of the lines that are in no bracket. */
function lineStarts(code: string, start: number, end: number): readonly number[] {
  const found = [start];
  let depth = 0;
  for (const { 0: mark, index } of code.slice(start, end).matchAll(/[\n{}()[\]]/g)) {
    if (mark !== "\n") depth += "{([".includes(mark) ? 1 : -1;
    else if (depth <= 0) found.push(start + index + 1);
  }
  return found;
}
