import { styleText } from "node:util";
import { writeStyled } from "../../core/redaction/output";
import { wrapped } from "../../core/redaction/wrapped";
import { didYouMean } from "../../core/schema";
import { CommandError, ExitCode, printJson } from "../invocation/failure";
import { codePage, explainedCodes, verdictAdvice, verdictCodes } from "./code-pages";

/** Runs `trivet explain`: prints the page of a code, or the list of all codes. */
export function explain(given: string | undefined, isJson: boolean): void {
  const codes = explainedCodes();
  const verdicts = verdictCodes();
  if (given === undefined) {
    if (isJson) printJson({ codes, verdicts });
    else writeStyled(process.stdout, listText(codes, verdicts));
    return;
  }
  // In brackets if it was copied from a message.
  const code = given.replace(/^\[(.*)\]$/, "$1");
  const found = codes.find((each) => each.code.toLowerCase() === code.toLowerCase());
  const meanings = verdicts.filter((each) => each.code.toLowerCase() === code.toLowerCase());
  const pages = [found && codePage(found.code), verdictPage(meanings)];
  const markdown = pages.filter((page) => page !== undefined).join("\n");
  if (markdown === "") {
    const names = [...codes, ...verdicts].map((each) => each.code);
    throw new CommandError(
      `There is no code ${JSON.stringify(code)}${didYouMean(code, names) || "."}`,
      "`trivet explain` without a code lists all codes.",
      ExitCode.usage,
    );
  }
  if (isJson) printJson({ ...found, verdicts: meanings, markdown });
  else writeStyled(process.stdout, plainPage(markdown, width()));
}

function verdictPage(meanings: ReturnType<typeof verdictCodes>): string | undefined {
  const [first] = meanings;
  if (first === undefined) return undefined;
  const lines = meanings.map(({ of, meaning }) => {
    const part = of === "all" ? "each part of it" : article(of);
    return `**In a verdict about an image**, of ${part}: ${meaning}.`;
  });
  return [
    `# ${first.code}`,
    ...lines,
    verdictAdvice(first.code),
    "node_modules/@trivet/constructs/docs/guide/verdicts.md shows a verdict and all codes.",
  ].join("\n\n");
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** Checks whether output goes to a terminal that may show colors. */
export const isStyled = (): boolean =>
  process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";

export const boldTitle = (text: string): string =>
  isStyled() ? styleText("bold", text, { validateStream: false }) : text;

/** Lines of more than 100 characters are hard to read, even in a wide terminal. */
const width = (): number => Math.min(process.stdout.isTTY ? process.stdout.columns : 80, 100);

function listText(
  codes: ReturnType<typeof explainedCodes>,
  verdicts: ReturnType<typeof verdictCodes>,
): string {
  const longest = Math.max(...codes.map(({ code }) => code.length));
  const lines = (["error", "warning"] as const).flatMap((kind) => [
    boldTitle(kind === "error" ? "Errors" : "Warnings"),
    ...codes
      .filter(({ severity }) => severity === kind)
      .map(({ code, meaning }) => `  ${code.padEnd(longest)}  ${meaning}`),
    "",
  ]);
  const inVerdicts = verdicts.map(
    ({ code, of, meaning }) => `  ${code.padEnd(longest)}  ${of}: ${plainText(meaning)}`,
  );
  return `${[...lines, boldTitle("Verdicts about images"), ...inVerdicts].join("\n").trimEnd()}\n`;
}

/**
 * Formats the page of a code for a terminal. Pages consist of headings, paragraphs, fences of code, and tables with two
 * columns.
 *
 * @param width the longest line, except for code
 */
function plainPage(markdown: string, width: number): string {
  const lines: string[] = [];
  let last = "";
  for (const { kind, text } of blocksOf(markdown)) {
    if (kind === "code") lines.push(...text.split("\n").map((line) => `    ${line}`.trimEnd()));
    else if (kind === "heading") lines.push(boldTitle(plainText(text)));
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
    // Only the group that matched has a text.
    const found: Readonly<Record<string, string | undefined>> = groups;
    const [kind, text] = Object.entries(found).find(([, each]) => each !== undefined) ?? [];
    if (text === undefined || (kind === "row" && isFrame(text))) return [];
    return [{ kind: kind as Block["kind"], text: text.trimEnd() }];
  });
}

/** Checks for the header of a table, or the line below it. */
const isFrame = (row: string): boolean => row === "Where | Rule" || /^[- |]+$/.test(row);

function rowOf(row: string): { readonly where: string; readonly rule: string } {
  const [where = "", ...rest] = row.split(" | ");
  return { where: plainText(where).replaceAll("`", ""), rule: plainText(rest.join(" | ")) };
}

const listItem = (text: string, width: number): readonly string[] =>
  wrapped(`    - ${text}`, width, "      ");

const plainText = (text: string): string =>
  text
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("\\|", "|")
    .replaceAll("&lt;", "<");
