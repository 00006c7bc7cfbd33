import { changesText } from "../../planner/changes/changes-text";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { printable } from "../../core/redaction/printable";
import type { CheckedProject, CheckedView } from "./project-session";
import { type Hover, MarkupKind, type Range } from "./protocol";
import type { SourceOutline } from "./source-outline";

/** More resources of one construct are counted only. */
const maxShown = 8;

/**
 * Says what happens to the resources of the construct under the cursor; undefined if there are none.
 *
 * @param line counts from 0
 * @param character counts from 0
 */
export function hoverAt(
  project: CheckedProject,
  file: string,
  outline: SourceOutline | undefined,
  { line, character }: { readonly line: number; readonly character: number },
): Hover | undefined {
  for (const range of rangesAround(outline, line, character)) {
    const isHere = (each: SourcePosition): boolean =>
      each.file === file &&
      each.line - 1 === range.start.line &&
      each.column - 1 >= range.start.character;
    const texts = project.stacks
      .map((view) => stackText(view, isHere))
      .filter((each) => each !== "");
    if (texts.length === 0) continue;
    const old =
      project.failure === undefined ? "" : "*The app fails now. This is the last plan.*\n\n";
    return {
      contents: { kind: MarkupKind.Markdown, value: old + texts.join("\n\n---\n\n") },
      range,
    };
  }
  return undefined;
}

/** Returns the expressions around a place, from the inside; its line if the source cannot be read. */
function rangesAround(
  outline: SourceOutline | undefined,
  line: number,
  character: number,
): readonly Range[] {
  if (outline === undefined) {
    return [{ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }];
  }
  return outline.creationsAround(line, character).map((each) => outline.rangeOf(each));
}

/** Describes the resources of a stack that are created at a place; empty if there are none. */
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

/** Removes the key of an instance, as in `ids_endpoint.edge["a"]`. */
const withoutKeys = (address: string): string =>
  /^(?:data\.)?[\w-]+\.[\w-]+/.exec(address)?.[0] ?? address;
