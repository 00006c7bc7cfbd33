import { changesText } from "../../planner/changes/changes-text";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { withoutKeys } from "../../planner/offline-plan/address";
import { printable } from "../../core/redaction/printable";
import type { CheckedProject, CheckedView } from "./project-session";
import { type Hover, MarkupKind, type Range } from "./protocol";
import type { SourceOutline } from "./source-outline";

/** Further resources of a construct are only counted. */
const maxShown = 8;

/**
 * Describes what happens to the resources of the construct at a position; undefined if there are none.
 *
 * @param position counts from 0
 */
export function hoverAt(
  project: CheckedProject,
  file: string,
  outline: SourceOutline | undefined,
  position: Range["start"],
): Hover | undefined {
  for (const range of rangesAround(outline, position)) {
    const isHere = (each: SourcePosition): boolean =>
      each.file === file &&
      each.line - 1 === range.start.line &&
      each.column - 1 >= range.start.character;
    const texts = project.stacks
      .map((view) => stackText(view, isHere))
      .filter((each) => each !== "");
    if (texts.length === 0) continue;
    const old = project.failure === undefined ? "" : "*The app fails. This is the last plan.*\n\n";
    return {
      contents: { kind: MarkupKind.Markdown, value: old + texts.join("\n\n---\n\n") },
      range,
    };
  }
  return undefined;
}

/** Returns the expressions around a position, from the inside out; its line if the source cannot be read. */
function rangesAround(
  outline: SourceOutline | undefined,
  { line, character }: Range["start"],
): readonly Range[] {
  if (outline === undefined) {
    return [{ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }];
  }
  return outline.creationsAround(line, character).map((each) => outline.rangeOf(each));
}

/** Describes the resources that a stack creates at a place; empty if there are none. */
function stackText(view: CheckedView, isHere: (position: SourcePosition) => boolean): string {
  const { stack, checked, constructOf, addresses } = view;
  const isCreatedHere = (address: string): boolean => {
    const { position, createdFrom = [] } = constructOf(address);
    return position !== undefined && [position, ...createdFrom].some(isHere);
  };
  const here = new Set(addresses.filter(isCreatedHere));
  const isOf = (address: string): boolean => here.has(withoutKeys(address));
  if (here.size === 0) return "";
  const changed = (checked.changes?.resources ?? []).filter(({ address }) => isOf(address));
  const unplanned = checked.notPlanned.filter(({ address }) => isOf(address));
  const other = new Set([...changed, ...unplanned].map(({ address }) => withoutKeys(address)));
  const unchanged = [...here].filter((address) => !other.has(address));
  const shown = changesText({ ...noChanges, resources: changed.slice(0, maxShown) }, false);
  const lines = [
    shown.replaceAll(/^ {2}/gm, "").trimEnd(),
    changed.length > maxShown ? `and ${changed.length - maxShown} more` : "",
    ...unplanned
      .slice(0, maxShown)
      .map(({ address, reason }) => printable(`? ${address}: ${reason}`)),
    ...(checked.changes === undefined
      ? [`${[...here].slice(0, maxShown).join(", ")}: the stack has errors, so it is not planned`]
      : unchanged.slice(0, maxShown).map((address) => `${address}: no changes`)),
  ].filter((each) => each !== "");
  return `**${stack.name}**, compared with ${printable(checked.comparedWith)}\n\n\`\`\`\`text\n${lines.join("\n")}\n\`\`\`\``;
}

const noChanges = {
  outputs: [],
  counts: { import: 0, create: 0, update: 0, replace: 0, delete: 0 },
};
