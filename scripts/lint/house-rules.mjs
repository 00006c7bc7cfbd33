// @ts-check

/** @typedef {{ readonly report: (problem: { readonly node: object, readonly message: string }) => void }} Context */

/**
 * @param {string} message
 * @param {string} selector what is refused
 */
const refuse = (message, selector) => ({
  /** @param {Context} context */
  create: (context) => ({
    /** @param {object} node */
    [selector]: (node) => context.report({ node, message }),
  }),
});

/** Rules of this repository, which the linter loads. */
export default {
  meta: { name: "house" },
  rules: {
    "no-spread-literal": refuse(
      "Write the members of a literal where it is spread.",
      ":matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression).argument",
    ),
    "private-names": refuse(
      "Use a private name: #name.",
      ":matches(PropertyDefinition, TSParameterProperty, MethodDefinition[kind!='constructor'])[accessibility='private']",
    ),
    "camel-case-constants": refuse(
      "Name constants like variables: camelCase.",
      ":matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[id.name=/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/]:not([id.name='PLAN_DESCRIPTOR'])",
    ),
  },
};
