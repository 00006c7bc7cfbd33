import type * as TypeScript from "typescript";
import type { PlacedDiagnostic } from "./diagnostics";
import { type CodeAction, CodeActionKind, type Range, type TextEdit } from "./protocol";
import type { SourceOutline } from "./source-outline";

/**
 * Returns the edits that add a statement about a construct below its creation; undefined if there is no place for it.
 *
 * @param statement formats the statement with the name of the construct
 */
function statementEdits(
  outline: SourceOutline,
  creation: TypeScript.Expression,
  statement: (name: string) => string,
): readonly TextEdit[] | undefined {
  const { compiler } = outline;
  const { parent } = creation;
  const named = nameIn(outline, parent);
  const owner = named === undefined ? parent : compiler.findAncestor(parent, compiler.isStatement);
  if (owner === undefined || !compiler.isStatement(owner)) return undefined;
  // Elsewhere, such as after `return`, it cannot get a name.
  if (named === undefined && !compiler.isExpressionStatement(owner)) return undefined;
  const name = named ?? freeName(outline, creation);
  const { start, end } = outline.rangeOf(owner);
  const added = insertion(end, `\n${" ".repeat(start.character)}${statement(name)}`);
  return named === undefined ? [insertion(start, `const ${name} = `), added] : [added];
}

/**
 * Returns the edit that imports a function from the package of the construct; undefined if it is already imported, or if
 * the package is not known.
 */
function importEdit(
  outline: SourceOutline,
  creation: TypeScript.NewExpression | TypeScript.CallExpression,
  name: string,
): TextEdit | undefined {
  const imports = namedImports(outline);
  const importing = (wanted: string) =>
    imports.find(({ elements }) => elements.some((each) => each.name.text === wanted));
  const [root = ""] = outline.textOf(creation.expression).split(".");
  const from = importing(root);
  const last = from?.elements.at(-1);
  if (from === undefined || last === undefined || importing(name) !== undefined) return undefined;
  const whole = from.module.replace(/\/(?:ids|signing|workspace)$/, "");
  if (whole === from.module) return insertion(outline.rangeOf(last).end, `, ${name}`);
  return insertion(
    { line: 0, character: 0 },
    `import { ${name} } from ${JSON.stringify(whole)};\n`,
  );
}

function namedImports({ compiler, file }: SourceOutline) {
  return file.statements.flatMap((each) => {
    if (!compiler.isImportDeclaration(each)) return [];
    const { importClause, moduleSpecifier } = each;
    const bindings = importClause?.namedBindings;
    const isNamed = bindings !== undefined && compiler.isNamedImports(bindings);
    if (!isNamed || !compiler.isStringLiteral(moduleSpecifier)) return [];
    return [{ elements: bindings.elements, module: moduleSpecifier.text }];
  });
}

/** Returns the name that the code gives to an expression; undefined without one. */
function nameIn({ compiler, textOf }: SourceOutline, parent: TypeScript.Node): string | undefined {
  if (compiler.isVariableDeclaration(parent)) return textOf(parent.name);
  const isAssigned =
    compiler.isBinaryExpression(parent) &&
    parent.operatorToken.kind === compiler.SyntaxKind.EqualsToken &&
    compiler.isExpressionStatement(parent.parent);
  return isAssigned ? textOf(parent.left) : undefined;
}

/** Creates an unused name from the ID of a construct. */
function freeName(outline: SourceOutline, creation: TypeScript.Expression): string {
  const { compiler, file } = outline;
  const text = outline.nodesIn(creation).find((each) => compiler.isStringLiteralLike(each));
  const words = (text?.text ?? "").match(/[A-Za-z\d]+/g) ?? [];
  const [first = "", ...others] = words.map((word) => word.toLowerCase());
  const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const name = /^[a-z]/.test(camel) ? camel : "created";
  const used = new Set(
    outline.nodesIn(file).flatMap((each) => (compiler.isIdentifier(each) ? [each.text] : [])),
  );
  let free = name;
  for (let at = 2; used.has(free) || isReserved(free); at++) free = `${name}${at}`;
  return free;

  function isReserved(word: string): boolean {
    const scanner = compiler.createScanner(compiler.ScriptTarget.Latest, true);
    scanner.setText(word);
    return scanner.scan() !== compiler.SyntaxKind.Identifier;
  }
}

const insertion = (at: Range["start"], newText: string): TextEdit => ({
  range: { start: at, end: at },
  newText,
});

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
