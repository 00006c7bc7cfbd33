// @ts-check
// Small changes of a file that its tests should notice.
import { createRequire } from "node:module";

/** @type {typeof import("typescript")} */
const ts = createRequire(import.meta.url)("typescript");
const { SyntaxKind } = ts;

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {object} Mutant
 * @property {string} file relative to the root
 * @property {string} within the names of the functions and classes around it
 * @property {number} entry where the body of the innermost function around it starts, 0 outside of all
 * @property {number} start
 * @property {number} end
 * @property {string} original
 * @property {string} replacement
 */

/** @type {ReadonlyMap<number, readonly string[]>} */
const operators = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, ["!=="]],
  [SyntaxKind.ExclamationEqualsEqualsToken, ["==="]],
  [SyntaxKind.LessThanToken, ["<=", ">="]],
  [SyntaxKind.LessThanEqualsToken, ["<", ">"]],
  [SyntaxKind.GreaterThanToken, [">=", "<="]],
  [SyntaxKind.GreaterThanEqualsToken, [">", "<"]],
  [SyntaxKind.AmpersandAmpersandToken, ["||"]],
  [SyntaxKind.BarBarToken, ["&&"]],
  [SyntaxKind.QuestionQuestionToken, ["&&"]],
  [SyntaxKind.MinusToken, ["+"]],
  [SyntaxKind.AsteriskToken, ["/"]],
  [SyntaxKind.SlashToken, ["*"]],
]);

/** @type {ReadonlyMap<string, string>} */
const methods = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
]);

/**
 * All mutants of a file, in the order of its text. Literal strings are left alone: the tests of messages
 * compare them.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Mutant[]} */
  const found = [];
  visit(source, [], 0);
  return found;

  /**
   * @param {Node} node
   * @param {readonly string[]} around
   * @param {number} outer
   */
  function visit(node, around, outer) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return;
    const name = ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isVariableDeclaration(node);
    const own = name && node.name !== undefined ? node.name.getText(source) : undefined;
    const within = own === undefined ? around : [...around, own];
    const isBody = ts.isBlock(node) && ts.isFunctionLike(node.parent);
    const entry = isBody ? node.getStart(source) + 1 : outer;
    for (const { at, replacement } of changesOf(node, source)) {
      const start = at.getStart(source);
      const original = text.slice(start, at.end);
      const change = { start, end: at.end, original, replacement };
      found.push({ file, within: within.join("."), entry, ...change });
    }
    ts.forEachChild(node, (child) => visit(child, within, entry));
  }
}

/**
 * @param {Node} node
 * @param {import("typescript").SourceFile} source
 * @returns {{ at: Node, replacement: string }[]}
 */
function changesOf(node, source) {
  const text = node.getText(source);
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [node.left.getText(source), node.right.getText(source)];
    const others = operators.get(node.operatorToken.kind) ?? [];
    return others.map((other) => ({ at: node, replacement: `(${left}) ${other} (${right})` }));
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return [{ at: node, replacement: node.operand.getText(source) }];
  }
  if (ts.isIfStatement(node)) return constants(node.expression);
  if (ts.isConditionalExpression(node)) return constants(node.condition);
  if (ts.isThrowStatement(node)) return [{ at: node, replacement: ";" }];
  if (ts.isExpressionStatement(node) && !text.startsWith("super(")) {
    return [{ at: node, replacement: ";" }];
  }
  if (ts.isNumericLiteral(node)) return [{ at: node, replacement: `(${text} + 1)` }];
  if (node.kind === SyntaxKind.TrueKeyword) return [{ at: node, replacement: "false" }];
  if (node.kind === SyntaxKind.FalseKeyword) return [{ at: node, replacement: "true" }];
  if (ts.isRegularExpressionLiteral(node)) return withoutAnchors(node, text);
  if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
    const other = methods.get(node.name.text);
    return other === undefined ? [] : [{ at: node.name, replacement: other }];
  }
  return [];
}

/** @param {Node} condition */
const constants = (condition) => [
  { at: condition, replacement: "true" },
  { at: condition, replacement: "false" },
];

/**
 * @param {Node} node
 * @param {string} text
 */
function withoutAnchors(node, text) {
  const changed = [text.replace(/^\/\^/, "/"), text.replace(/\$(\/[a-z]*)$/, "$1")];
  return changed
    .filter((other) => other !== text && !other.startsWith("//"))
    .map((replacement) => ({ at: node, replacement }));
}
