// @ts-check

/**
 * The parts of a declaration that are read here: see `src/core/schema`.
 *
 * @typedef {{ readonly code: string, readonly warning?: string }} Coded
 * @typedef {Coded & { readonly doc: readonly string[] }} ValueRule
 * @typedef {Coded & { readonly inputs: readonly string[], readonly doc: (label: (name: string) => string) => string }} ResourceRule
 * @typedef {{ readonly kind: string, readonly rule?: ValueRule, readonly values?: readonly string[], readonly of?: Type, readonly fields?: Fields }} Type
 * @typedef {{ readonly attributes: Readonly<Record<string, { readonly type: Type }>>, readonly blocks?: Readonly<Record<string, { readonly fields: Fields }>>, readonly rules?: readonly ResourceRule[] }} Fields
 * @typedef {{ readonly where: string, readonly doc: string }} DeclaredRule
 */

/**
 * Lists the rules of declarations by the code of what they find.
 *
 * @param {readonly (Fields & { readonly type: string })[]} declarations
 * @returns {ReadonlyMap<string, readonly DeclaredRule[]>}
 */
export function declaredRules(declarations) {
  /** @type {Map<string, DeclaredRule[]>} */
  const found = new Map();
  /**
   * @param {Coded} rule
   * @param {readonly string[]} where
   * @param {string} doc
   */
  const add = ({ code, warning = code }, where, doc) => {
    const known = found.get(warning) ?? [];
    const added = { where: where.join("."), doc };
    if (!known.some((each) => each.where === added.where && each.doc === doc)) known.push(added);
    found.set(warning, known);
  };
  /**
   * @param {Type} type
   * @param {readonly string[]} where
   */
  const inType = ({ rule, values, of, fields }, where) => {
    for (const doc of rule?.doc ?? []) if (rule !== undefined) add(rule, where, doc);
    if (values !== undefined) {
      const words = values.map((each) => `\`${JSON.stringify(each)}\``).join(", ");
      add({ code: "INVALID_ARGUMENT" }, where, `must be one of ${words}`);
    }
    if (of !== undefined) inType(of, where);
    if (fields !== undefined) inFields(fields, where);
  };
  /**
   * @param {Fields} fields
   * @param {readonly string[]} where
   */
  const inFields = ({ attributes, blocks = {}, rules = [] }, where) => {
    for (const [name, { type }] of Object.entries(attributes)) inType(type, [...where, name]);
    for (const [name, { fields }] of Object.entries(blocks)) inFields(fields, [...where, name]);
    for (const rule of rules) {
      const doc = rule.doc((name) => name);
      const [first] = rule.inputs;
      // Advice does not name the attribute that it is about.
      const isNamed = rule.code !== "ADVICE" || first === undefined;
      add(rule, where, isNamed ? doc : `\`${first}\` ${doc}`);
    }
  };
  for (const declaration of declarations) inFields(declaration, [declaration.type]);
  return found;
}
