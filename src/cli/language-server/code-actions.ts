import { parsedJson } from "../../json/plain-json";
import type { PlacedDiagnostic } from "./diagnostics";
import { type CodeAction, CodeActionKind, type TextEdit } from "./protocol";
import { importEdit, statementEdits } from "./source-edits";
import type { SourceOutline } from "./source-outline";

/** Returns what an editor can do about a diagnostic in a file. */
export function codeActionsFor(
  { shown, message, position, code, rename }: PlacedDiagnostic,
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
  const actions = suggested(message).flatMap(({ wrong, right }) => {
    const range = outline.stringIn(creation, wrong);
    const newText = JSON.stringify(right);
    return range === undefined
      ? []
      : [action(`Change it to ${newText}`, [{ range, newText }], true)];
  });
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

const text = String.raw`("(?:[^"\\]|\\.)*")`;
const suggestion = new RegExp(String.raw`\(got ${text}\); did you mean ${text}\?`, "g");

/** Finds what is meant in a message such as `severity: must be … (got "HIHG"); did you mean "HIGH"?`. */
function suggested(message: string): readonly { readonly wrong: string; readonly right: string }[] {
  return [...message.matchAll(suggestion)].map(([, wrong = "", right = ""]) => ({
    wrong: String(parsedJson(wrong)),
    right: String(parsedJson(right)),
  }));
}
