import type { PlacedDiagnostic } from "./diagnostics";
import { type CodeAction, CodeActionKind, type TextEdit } from "./protocol";
import { importEdit, statementEdits } from "./source-edits";
import type { SourceOutline } from "./source-outline";

/** Returns what an editor can do about a diagnostic in a file. */
export function codeActionsFor(
  { shown, position, correction, code, rename }: PlacedDiagnostic,
  uri: string,
  outline: SourceOutline,
): readonly CodeAction[] {
  const creation = outline.creationAt(position.line - 1, position.column - 1);
  if (creation === undefined) return [];
  const action = (title: string, edits: readonly TextEdit[], isPreferred: boolean): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [shown],
    isPreferred,
    edit: { changes: { [uri]: [...edits] } },
  });
  const actions: CodeAction[] = [];
  if (correction !== undefined) {
    const range = outline.stringIn(creation, correction.got);
    const newText = JSON.stringify(correction.meant);
    if (range !== undefined)
      actions.push(action(`Change it to ${newText}`, [{ range, newText }], true));
  }
  if (rename !== undefined) {
    const from = JSON.stringify(rename.from);
    const edits = statementEdits(outline, creation, (name) => `${name}.moveFromId(${from});`);
    if (edits !== undefined)
      actions.push(action(`Keep ${rename.from}, which has moved`, edits, true));
  }
  if (code !== undefined) {
    const edits = statementEdits(outline, creation, (name) => acknowledgement(name, code));
    const imported = importEdit(outline, creation, "acknowledge");
    const all = [...(imported === undefined ? [] : [imported]), ...(edits ?? [])];
    if (edits !== undefined) actions.push(action(`Acknowledge ${code}`, all, false));
  }
  return actions;
}

const acknowledgement = (name: string, code: string): string =>
  `acknowledge(${name}, ${JSON.stringify(code)}, "Say why this is intended.");`;
