import { wrapped } from "../../core/redaction/wrapped";

/**
 * Formats the page of a code for a terminal. It reads what these pages consist of: headings, paragraphs, fences of
 * code, and tables with two columns.
 *
 * @param width the longest line, except for code
 * @param bold formats a heading
 */
export function plainPage(markdown: string, width: number, bold: (text: string) => string): string {
  const lines: string[] = [];
  let last = "";
  for (const { kind, text } of blocksOf(markdown)) {
    if (kind === "code") lines.push(...text.split("\n").map((line) => `    ${line}`.trimEnd()));
    else if (kind === "heading") lines.push(bold(plainText(text)));
    else if (kind === "row") {
      const { where, rule } = rowOf(text);
      if (where !== last) lines.push(`  ${where}`);
      last = where;
      lines.push(...listItem(rule, width));
    } else lines.push(...wrapped(plainText(text).replaceAll(/\s+/g, " "), width, ""));
    if (kind !== "row") lines.push("");
  }
  return `${lines.join("\n").trim()}\n`;
}

interface Block {
  readonly kind: "heading" | "code" | "row" | "text";
  readonly text: string;
}

function blocksOf(markdown: string): readonly Block[] {
  const form =
    /^<!--[^]*?-->$|^```\S*[^\n]*\n(?<code>[^]*?)^```$|^#+ (?<heading>.*)$|^\| (?<row>.*) \|$|^(?<text>[^\n]+(?:\n(?!```|\||#)[^\n]+)*)/gm;
  return [...markdown.matchAll(form)].flatMap(({ groups = {} }): Block[] => {
    // Only the group of the alternative that matched has a text.
    const found: Readonly<Record<string, string | undefined>> = groups;
    const [kind, text] = Object.entries(found).find(([, each]) => each !== undefined) ?? [];
    if (text === undefined || (kind === "row" && isFrame(text))) return [];
    return [{ kind: kind as Block["kind"], text: text.trimEnd() }];
  });
}

/** Checks for the title of a table, or the line below it. */
const isFrame = (row: string): boolean => row === "Where | Rule" || /^[- |]+$/.test(row);

function rowOf(row: string): { readonly where: string; readonly rule: string } {
  const [where = "", ...rest] = row.split(" | ");
  return { where: plainText(where).replaceAll("`", ""), rule: plainText(rest.join(" | ")) };
}

const listItem = (text: string, width: number): readonly string[] =>
  wrapped(`    - ${text}`, width, "      ");

/** Leaves out the marks of Markdown. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("\\|", "|")
    .replaceAll("&lt;", "<");
