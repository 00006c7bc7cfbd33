import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/**
 * How a fence of TypeScript is tested, by the keyword after its language:
 *
 * - `stack`: a module that exports stacks; each is synthesized
 * - `body`: the content of a stack's constructor; it is synthesized
 * - `refused`: the same, but refused with the message in the next fence
 * - `warned`: the same as `body`, but with the warnings in the next fence, one for each line
 * - `test`: a module of tests; they run here
 * - no keyword: a module that is only compiled
 */
export type SnippetKind = "stack" | "body" | "refused" | "warned" | "test" | "module";

export interface Snippet {
  readonly kind: SnippetKind;
  /** Other snippets of the page import it by this name: `file=name` after the language. */
  readonly name: string;
  readonly line: number;
  readonly code: string;
  /** The content of the next `text` fence. */
  readonly expectedText: string;
}

export interface Page {
  /** Relative to the checkout. */
  readonly path: string;
  readonly snippets: readonly Snippet[];
  /** Shell commands, one for each line. */
  readonly commands: readonly string[];
  /** Fences of HCL. Examples of the reference are tried as files: see `examples/`. */
  readonly hcl: readonly string[];
  /** Targets of links to files of the checkout, and to headings. */
  readonly links: readonly string[];
}

/** A block of code in a page. */
export interface Fence {
  readonly language: string;
  /** What follows the language. Of `text`, the name by which a test compares it with a run (`output.ts`). */
  readonly keywords: readonly string[];
  readonly line: number;
  readonly text: string;
}

/** README.md and everything under docs. */
export function pages(): Page[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`);
  return ["README.md", ...docs.sort()].map(readPage);
}

function readPage(path: string): Page {
  const text = readFileSync(join(root, path), "utf8");
  const fences = fencesOf(text);
  const snippets = fences.flatMap((fence, index) => {
    if (fence.language !== "ts") return [];
    const expected = fences.slice(index + 1).find(({ language }) => language === "text");
    return [snippet(fence, expected?.text ?? "")];
  });
  const commands = fences
    .filter(({ language }) => language === "sh")
    .flatMap(({ text: lines }) => lines.split("\n"))
    .map((line) => line.replace(/\s#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const hcl = fences
    .filter(({ language }) => language === "hcl" || language === "terraform")
    .map(({ text: code }) => code);
  const links = [...withoutFences(text).matchAll(/\]\((?!https?:)([^)\s]+)[^)]*\)/g)].map(
    ([, to = ""]) => to,
  );
  return { path, snippets, commands, hcl, links };
}

/** Leaves out what is code. */
export const withoutFences = (text: string): string => text.replaceAll(/^(`{3,})[^]*?^\1$/gm, "");

function snippet({ keywords, line, text }: Fence, expectedText: string): Snippet {
  const [name] = keywords.flatMap((each) => (each.startsWith("file=") ? [each.slice(5)] : []));
  const [kind = "module"] = keywords.filter((each) => !each.startsWith("file="));
  return {
    kind: kind as SnippetKind,
    name: name ?? `line-${line}`,
    line,
    code: text,
    expectedText,
  };
}

export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  const fence = /^(?<ticks>`{3,})([^\s`]*)([^\n]*)\n([^]*?)^\k<ticks>$/gm;
  for (const { 2: language = "", 3: keywords = "", 4: body = "", index } of text.matchAll(fence)) {
    const line = text.slice(0, index).split("\n").length;
    fences.push({ language, keywords: keywords.split(" ").filter(Boolean), line, text: body });
  }
  return fences;
}
