/** A block of a Terraform CLI configuration, with the offsets of its body without the braces. */
export interface Block {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The top-level blocks of `text`, or of a part of it.
 *
 * CLI configurations are simple HCL. This parses only the structure that merging needs.
 */
export function blocksIn(text: string, start = 0, end = text.length): readonly Block[] {
  const bare = withoutStringsAndComments(text);
  const blocks: Block[] = [];
  let depth = 0;
  let headStart = start;
  let bodyStart = start;
  let name = "";
  for (let at = start; at < end; at++) {
    const char = bare[at];
    if (char === "{") {
      if (depth === 0) {
        name = /[A-Za-z_][\w-]*/.exec(bare.slice(headStart, at))?.[0] ?? "";
        bodyStart = at + 1;
      }
      depth++;
    } else if (char === "}") {
      depth--;
      if (depth === 0) blocks.push({ name, start: bodyStart, end: at });
      headStart = at + 1;
    } else if (char === "\n" && depth === 0) {
      headStart = at + 1;
    }
  }
  return blocks;
}

const stringsAndComments = /"(?:[^"\\\n]|\\.)*"|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const blanked = (text: string): string => text.replace(/[^\n]/g, " ");

/** Replaces strings and comments with spaces of the same length. */
export const withoutStringsAndComments = (text: string): string =>
  text.replace(stringsAndComments, blanked);

/** Replaces comments with spaces of the same length. */
export const withoutComments = (text: string): string =>
  text.replace(stringsAndComments, (found) => (found.startsWith('"') ? found : blanked(found)));
