import { styleText } from "node:util";
import { printable } from "../redaction/printable";
import type { AttributeChange } from "./attribute-changes";
import { placeText } from "./construct-place";
import type { Action, ChangeCounts, Changes, OutputChange, ResourceChange } from "./changes";
import { Placeholder, sensitive, unknown, valueText } from "./masked-value";

type Color = "green" | "yellow" | "red" | "cyan";

/** The sign of an action, its color, and the words beside it. The signs are Terraform's. */
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

/**
 * Formats the changes of a plan for people: a block for each resource, a line for each attribute.
 *
 * @param isColored true for colored signs
 */
export function changesText({ resources, outputs }: Changes, isColored: boolean): string {
  const sign = ([text, color]: readonly [string, Color, ...unknown[]]): string =>
    isColored ? styleText(color, text, { validateStream: false }) : text;
  return [
    ...resources.flatMap((change) => [
      `${sign(signs[change.action])} ${printable(headOf(change))}`,
      ...attributeLines(change).map(
        ({ action, text }) => `    ${sign(attributeSigns[action])} ${printable(text)}`,
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
  const words = { create: "add", update: "change", replace: "replace", delete: "destroy" } as const;
  return (["create", "update", "replace", "delete"] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${words[action]}`)
    .join(", ");
}

/** Names a resource, with what happens to it and why. */
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

interface Line {
  readonly action: AttributeChange["action"];
  readonly text: string;
}

/**
 * Describes the changes of a resource, a line for each attribute. Those of a created resource whose values are not shown
 * share a line.
 */
export function attributeLines({ action, attributes }: ResourceChange): readonly Line[] {
  const isListed = ({ path, after }: AttributeChange): boolean =>
    action === "create" && after instanceof Placeholder && /^\w+$/.test(path);
  const listed = [unknown, sensitive].flatMap((placeholder) => {
    const found = attributes.filter((each) => isListed(each) && each.after === placeholder);
    const names = found.map(({ path }) => path).join(", ");
    return names === "" ? [] : [{ action: "add" as const, text: `${names} = ${placeholder.text}` }];
  });
  const shown = attributes.filter((change) => !isListed(change));
  return [...shown.map((each) => ({ action: each.action, text: attributeText(each) })), ...listed];
}

function attributeText(change: AttributeChange): string {
  const forces = change.forcesReplacement ? " # forces replacement" : "";
  return `${change.path} = ${transition(change)}${forces}`;
}

/** Describes the change of an output. */
export const outputText = (change: OutputChange): string =>
  printable(`${change.name} = ${transition(change)}`);

function transition({
  action,
  before,
  after,
}: Pick<AttributeChange, "action" | "before" | "after">): string {
  if (action === "add") return valueText(after);
  if (action === "remove") return `${valueText(before)} → null`;
  const [left, right] = [valueText(before), valueText(after)];
  // Both are sensitive, or what differs in them is not shown.
  return left === right ? `${left} # changes` : `${left} → ${right}`;
}
