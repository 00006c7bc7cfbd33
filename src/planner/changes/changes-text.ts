import { styleText } from "node:util";
import { isObject } from "../../core/json/plain-json";
import { printable } from "../../core/redaction/printable";
import type { AttributeChange } from "./attribute-changes";
import { placeText } from "./construct-place";
import {
  type Action,
  type ChangeCounts,
  type Changes,
  countedActions,
  type OutputChange,
  type ResourceChange,
} from "./changes";
import { memberName, Placeholder, sensitive, unknown, valueText } from "./masked-value";

type Color = "green" | "yellow" | "red" | "cyan";

/** Terraform's sign of each action, its color, and a note. */
const signs: Readonly<Record<Action, readonly [string, Color, string]>> = {
  create: ["+", "green", ""],
  update: ["~", "yellow", ""],
  replace: ["-/+", "red", "is replaced"],
  delete: ["-", "red", "is destroyed"],
  read: ["<=", "cyan", "is read"],
  forget: ["-", "yellow", "is removed from the state, and not destroyed"],
  import: ["=", "cyan", ""],
  move: ["=", "cyan", ""],
};

const attributeSigns: Readonly<Record<AttributeChange["action"], readonly [string, Color]>> = {
  add: ["+", "green"],
  change: ["~", "yellow"],
  remove: ["-", "red"],
};

/** Values on longer lines get a line for each member. */
const defaultWidth = 100;

/**
 * Formats the changes of a plan for people: a block for each resource, a line for each attribute.
 *
 * @param isColored true for colored signs
 * @param width the preferred maximum length of lines
 */
export function changesText(
  { resources, outputs }: Changes,
  isColored: boolean,
  width = defaultWidth,
): string {
  const sign = ([text, color]: readonly [string, Color, ...unknown[]]): string =>
    isColored ? styleText(color, text, { validateStream: false }) : text;
  return [
    ...resources.flatMap((change) => [
      `${sign(signs[change.action])} ${printable(headOf(change))}`,
      ...attributeLines(change, width - attributeIndent.length - 2).flatMap(({ action, lines }) =>
        lines.map((line, at) =>
          at === 0
            ? `    ${sign(attributeSigns[action])} ${printable(line)}`
            : `${attributeIndent}${printable(line)}`,
        ),
      ),
    ]),
    ...outputs.map(
      (change) => `${sign(attributeSigns[change.action])} output ${outputText(change)}`,
    ),
  ]
    .map((line) => `  ${line}\n`)
    .join("");
}

/** Counts changes, as in `2 to add, 1 to replace`; empty if no resource changes. */
export function countsText(counts: ChangeCounts): string {
  const others = { create: "add", update: "change", delete: "destroy" } as const;
  const words = { import: "import", replace: "replace", ...others } as const;
  return countedActions
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${words[action]}`)
    .join(", ");
}

export function headOf(change: ResourceChange): string {
  const { address, action, constructPath, reason, previousAddress, importId } = change;
  const [, , said] = signs[action];
  const notes = [
    said,
    reason ?? "",
    previousAddress === undefined ? "" : `moved from ${previousAddress}`,
    importId === undefined ? "" : `imported from ${importId}`,
  ].filter((note) => note !== "");
  const path = constructPath === undefined ? "" : ` (${constructPath})`;
  const place = change.position === undefined ? "" : ` at ${placeText(change)}`;
  return `${address}${path}${place}${notes.length === 0 ? "" : `: ${notes.join("; ")}`}`;
}

/** Aligns the further lines of an attribute with its first. */
const attributeIndent = " ".repeat(6);

/**
 * Describes the changes of a resource, with a line for each attribute. Attributes of a new resource whose values are
 * not shown share a line.
 *
 * @param width the preferred maximum length of lines
 */
export function attributeLines(
  { action, attributes }: ResourceChange,
  width = Infinity,
): readonly { readonly action: AttributeChange["action"]; readonly lines: readonly string[] }[] {
  const isListed = ({ path, after }: AttributeChange): boolean =>
    action === "create" && after instanceof Placeholder && /^\w+$/.test(path);
  const listed = [unknown, sensitive].flatMap((placeholder) => {
    const found = attributes.filter((each) => isListed(each) && each.after === placeholder);
    const names = found.map(({ path }) => path).join(", ");
    const lines = [`${names} = ${placeholder.text}`];
    return names === "" ? [] : [{ action: "add" as const, lines }];
  });
  const shown = attributes.filter((change) => !isListed(change));
  return [
    ...shown.map((each) => ({ action: each.action, lines: linesOf(each, width) })),
    ...listed,
  ];
}

function linesOf(change: AttributeChange, width: number): readonly string[] {
  const name = `${change.path} = `;
  const forces = change.forcesReplacement ? " # forces replacement" : "";
  const onOneLine = `${name}${transition(change)}${forces}`;
  if (onOneLine.length <= width) return [onOneLine];
  // Both sides of a changed value share the line.
  const room = Math.max(width - name.length, width / 2);
  return joinedLines(joinedLines([name], transitionLines(change, room)), [forces]);
}

export const outputText = (change: OutputChange): string =>
  printable(`${change.name} = ${transition(change)}`);

type Transition = Pick<AttributeChange, "action" | "before" | "after">;

const transition = (change: Transition): string => transitionLines(change, Infinity).join("");

function transitionLines({ action, before, after }: Transition, width: number): readonly string[] {
  if (action === "add") return valueLines(after, width);
  const left = valueLines(before, width);
  if (action === "remove") return joinedLines(left, [" → null"]);
  // Both are sensitive, or the difference is not shown.
  return valueText(before) === valueText(after)
    ? joinedLines(left, [" # changes"])
    : joinedLines(joinedLines(left, [" → "]), valueLines(after, width));
}

/** Formats a value on one line if it fits, else with a line for each member. */
function valueLines(value: unknown, width: number): readonly string[] {
  const text = valueText(value);
  if (text.length <= width || value instanceof Placeholder) return [text];
  if (Array.isArray(value)) {
    return ["[", ...value.flatMap((each) => member("", each, width)), "]"];
  }
  if (!isObject(value)) return [text];
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return [
    "{",
    ...members.flatMap(([name, each]) => member(`${memberName(name)} = `, each, width)),
    "}",
  ];
}

function member(name: string, value: unknown, width: number): readonly string[] {
  const lines = valueLines(value, width - name.length - 3);
  return lines.map((line, at) => {
    const comma = at === lines.length - 1 ? "," : "";
    return `  ${at === 0 ? name : ""}${line}${comma}`;
  });
}

/** Joins the last line of the first part with the first line of the second. */
const joinedLines = (first: readonly string[], second: readonly string[]): string[] => [
  ...first.slice(0, -1),
  `${first.at(-1) ?? ""}${second[0] ?? ""}`,
  ...second.slice(1),
];
