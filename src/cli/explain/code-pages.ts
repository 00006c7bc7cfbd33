import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../core/process/package-root";
import { note } from "../invocation/failure";

interface ExplainedCode {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** A sentence in Markdown, without a full stop. */
  readonly meaning: string;
}

const folder = (): string => join(packageRoot(), "docs", "reference", "codes");

/** Returns the codes that have a page: errors before warnings, each sorted by code. */
export function explainedCodes(): readonly ExplainedCode[] {
  const names = readdirSync(folder())
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => name.slice(0, -".md".length));
  const codes = names.map((code) => headOf(code, readFileSync(pathOf(code), "utf8")));
  return codes.sort(
    (a, b) => order(a.severity) - order(b.severity) || a.code.localeCompare(b.code),
  );
}

const order = (severity: string): number => (severity === "error" ? 0 : 1);

function headOf(code: string, page: string): ExplainedCode {
  const [, kind, meaning = ""] = /^\*\*(Error|Warning):\*\* (.*)\.$/m.exec(page) ?? [];
  return { code, severity: kind === "Error" ? "error" : "warning", meaning };
}

/** Returns the page of a code in Markdown; undefined if it has none. */
export function codePage(code: string): string | undefined {
  const path = codePagePath(code);
  return path === undefined ? undefined : readFileSync(path, "utf8");
}

/** Returns the path of the page of a code; undefined if it has none, like the codes of other providers. */
export function codePagePath(code: string): string | undefined {
  const isCode = /^[A-Za-z][\w-]*$/.test(code) && code !== "index";
  return isCode && existsSync(pathOf(code)) ? pathOf(code) : undefined;
}

const pathOf = (code: string): string => join(folder(), `${code}.md`);

interface VerdictCode {
  readonly code: string;
  /** The part of the verdict: `image`, `policy`, `authority`, `candidate`, or `all`. */
  readonly of: string;
  /** A clause in Markdown. */
  readonly meaning: string;
}

export function verdictAdvice(code: string): string {
  const page = readFileSync(join(packageRoot(), "docs", "guide", "verdict-codes.md"), "utf8");
  return page.split(`\n## ${code}\n`)[1]?.split("\n## ")[0]?.trim() ?? "";
}

/** Returns the codes of verdicts from the table in their page. A code can have several meanings. */
export function verdictCodes(): readonly VerdictCode[] {
  const page = readFileSync(join(packageRoot(), "docs", "guide", "verdicts.md"), "utf8");
  const row = /^\| (?<of>\w+) +\| `(?<code>[A-Z_]+)` +\| (?<meaning>.*?) +\|$/gm;
  return [...page.matchAll(row)].map(({ groups: { of = "", code = "", meaning = "" } = {} }) => ({
    code,
    of,
    meaning,
  }));
}

let isNoted = false;

interface Coded {
  readonly code?: string;
  readonly acknowledged?: object;
  /** Set for an acknowledgement that matches no warning. */
  readonly stale?: object;
}

/** Notes once in a process how to read about a printed code that is not acknowledged. */
export function noteCodes(printed: readonly Coded[]): void {
  if (isNoted) return;
  const open = printed.filter(({ acknowledged, stale }) => (acknowledged ?? stale) === undefined);
  const code = open.flatMap((each) => each.code ?? []).find((each) => codePagePath(each));
  if (code === undefined) return;
  isNoted = true;
  note(`\`trivet explain ${code}\` explains it, and shows an example`);
}
