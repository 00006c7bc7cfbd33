import {
  type Action,
  type Changes,
  type ResourceChange,
  renameText,
} from "../../planner/changes/changes";
import { attributeLines, countsText, headOf, outputText } from "../../planner/changes/changes-text";
import { diagnosticText } from "../../planner/changes/diagnostic";
import { printable } from "../../core/redaction/printable";
import { refusalTexts } from "./refusal";
import type { StackResult } from "./stack-result";

/** Comments of GitHub have at most 65,536 characters; some room is left for what a workflow adds. */
const maxCharacters = 60_000;

/** The first errors of a stack often cause the others. */
const mostDiagnostics = 20;

/** The actions that need most attention come first. */
const order: readonly Action[] = [
  "replace",
  "delete",
  "forget",
  "update",
  "create",
  "import",
  "move",
  "read",
];

/** The first characters of lines in a block of the language `diff`, which determine their colors. */
const marks: Readonly<Record<Action, string>> = {
  replace: "-",
  delete: "-",
  forget: "-",
  update: "!",
  create: "+",
  import: " ",
  move: " ",
  read: " ",
};

const attributeMarks = { add: "+", change: "!", remove: "-" } as const;

/**
 * Formats the plans of stacks for the comment of a pull request: a section that can be unfolded for each stack.
 * Contains no secrets.
 *
 * If it would be too long, attributes are left out, then resources.
 */
export function planMarkdown(results: readonly StackResult[]): string {
  const lengths = [Infinity, 1000, 500, 200, 100, 50, 20, 10, 5, 0];
  for (const isDetailed of [true, false]) {
    for (const most of isDetailed ? [Infinity] : lengths) {
      const text = document(results, (changes) => changeLines(changes, isDetailed, most));
      if (text.length <= maxCharacters) return text;
    }
  }
  return `${document(results, () => []).slice(0, maxCharacters)}\n`;
}

type Lines = (changes: Changes) => readonly string[];

function document(results: readonly StackResult[], linesOf: Lines): string {
  const unchanged = results.filter(({ outcome }) => outcome === "unchanged");
  const others = results.filter((each) => !unchanged.includes(each));
  const counts = totals(results);
  const lost = counts.replace + counts.delete;
  const nothing = results.every((each) => unchanged.includes(each));
  return [
    `### Plan: ${nothing ? "no changes" : countsText(counts) || "see below"}`,
    ...(lost > 0
      ? [`**${lost} ${lost === 1 ? "resource is" : "resources are"} destroyed or replaced.**`]
      : []),
    ...others.map((result) => section(result, linesOf)),
    ...(unchanged.length > 0 && !nothing
      ? [`No changes: ${unchanged.map(({ name }) => escaped(name)).join(", ")}`]
      : []),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function totals(results: readonly StackResult[]): Changes["counts"] {
  const sum = (action: keyof Changes["counts"]): number =>
    results.reduce((total, { changes }) => total + (changes?.counts[action] ?? 0), 0);
  return {
    import: sum("import"),
    create: sum("create"),
    update: sum("update"),
    replace: sum("replace"),
    delete: sum("delete"),
  };
}

function section(result: StackResult, linesOf: Lines): string {
  const { name, outcome, because, changes, refused = [], renames = [], diagnostics } = result;
  const counts = changes === undefined ? "" : countsText(changes.counts) || "other changes";
  const reason = because === undefined ? "" : `, because ${because} was not finished`;
  const said = outcome === "planned" ? counts : `${outcome}${reason}`;
  const lines = changes === undefined ? [] : linesOf(changes);
  const found = [
    ...[...renames.map(renameText), ...refusalTexts(changes, refused)].map((text) =>
      printable(text),
    ),
    ...diagnostics.slice(0, mostDiagnostics).map((each) => diagnosticText(each, () => ({}))),
    ...(diagnostics.length > mostDiagnostics
      ? [`and ${diagnostics.length - mostDiagnostics} more`]
      : []),
  ];
  return [
    `<details${outcome === "planned" ? "" : " open"}><summary><b>${escaped(name)}</b>: ${escaped(said)}</summary>`,
    ...(lines.length === 0 ? [] : [fenced("diff", lines)]),
    ...(found.length === 0 ? [] : [fenced("text", found)]),
    "</details>",
  ].join("\n\n");
}

function changeLines(
  { resources, outputs }: Changes,
  isDetailed: boolean,
  most: number,
): readonly string[] {
  const sorted = resources.toSorted((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  const shown = sorted.slice(0, most).flatMap((change) => resourceLines(change, isDetailed));
  const rest = sorted.length - Math.min(sorted.length, most);
  return [
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more, which the output of trivet plan has`] : []),
    ...(isDetailed
      ? outputs.map((output) => `${attributeMarks[output.action]} output ${outputText(output)}`)
      : []),
  ];
}

const resourceLines = (change: ResourceChange, isDetailed: boolean): readonly string[] => [
  `${marks[change.action]} ${printable(headOf(change))}`,
  ...(isDetailed
    ? attributeLines(change).flatMap(({ action, lines }) =>
        lines.map((line) => `${attributeMarks[action]}     ${printable(line)}`),
      )
    : []),
];

/** A block of code, whose fence is longer than any in it. */
function fenced(language: string, lines: readonly string[]): string {
  const content = lines.join("\n");
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${content}\n${fence}`;
}

/** Text outside of blocks, without Markdown and HTML. */
const escaped = (text: string): string =>
  printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|~#@]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
