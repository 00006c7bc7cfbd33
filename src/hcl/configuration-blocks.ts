import { codeOf } from "./template-sequences";

/** A block at the top of a file in Terraform's native syntax. */
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
 * The top-level blocks of a file in native syntax. It reports no errors: a file that Terraform would refuse
 * is read as far as possible.
 */
export function blocksIn(file: string): readonly ConfigurationBlock[] {
  const code = codeOf(file, "expression");
  const blocks: ConfigurationBlock[] = [];
  let open: Omit<ConfigurationBlock, "end" | "isClosed"> | undefined;
  let depth = 0;
  let outside = 0;
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    if (brace === "{" && depth === 1) open = headerIn(file, code, outside, index);
    if (depth > 0 || brace === "{") continue;
    depth = 0;
    outside = index + 1;
    if (open !== undefined) blocks.push({ ...open, end: outside, isClosed: true });
    open = undefined;
  }
  return open === undefined ? blocks : [...blocks, { ...open, end: file.length, isClosed: false }];
}

function headerIn(file: string, code: string, from: number, brace: number) {
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
