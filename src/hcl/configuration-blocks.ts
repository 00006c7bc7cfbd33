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

/** Returns the value of an attribute in a block if it is a string without escapes and interpolations. */
export function stringIn(
  file: string,
  { bodyStart, end }: ConfigurationBlock,
  name: string,
): string | undefined {
  const code = codeOf(file, "expression").slice(bodyStart, end);
  const assignment = new RegExp(`(?<![\\w-])${name}\\s*=`, "u").exec(code);
  if (assignment === null) return undefined;
  const value = file.slice(bodyStart + assignment.index + assignment[0].length, end);
  return /^\s*"([^"\\$%]*)"/.exec(value)?.[1];
}

/** Reads the header of a block, which is on one line. Attributes may be on the lines before it. */
function headerIn(file: string, code: string, outside: number, brace: number) {
  const from = Math.max(outside, code.lastIndexOf("\n", brace) + 1);
  const [, before = "", type = ""] =
    /^([^\p{ID_Start}_]*)([\p{ID_Continue}-]*)/u.exec(code.slice(from, brace)) ?? [];
  const start = from + before.length;
  const rest = file.slice(start + type.length, brace);
  const labels = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"|([\p{ID_Continue}-]+)/gu)];
  return {
    type,
    labels: labels.map(([, quoted, bare = ""]) => quoted ?? bare),
    start,
    bodyStart: brace + 1,
  };
}
