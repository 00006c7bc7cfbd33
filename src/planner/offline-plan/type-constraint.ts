import { convert } from "../expression/convert";
import { evaluate } from "../expression/evaluate";
import { parseExpression } from "../expression/parse";
import type { Expression } from "../expression/syntax";
import { EvaluationError, primitiveText, Value } from "../expression/value";
import type { CtyField, CtyType } from "../../core/provider-kit/values";

/** The type of a variable, such as `object({ size = optional(number, 5) })`. */
interface TypeConstraint {
  readonly type: CtyType;
  /** Fills in the defaults of optional attributes that are missing or null. */
  readonly withDefaults: (value: Value) => Value;
}

/** @throws EvaluationError when it is not a type */
export function parseTypeConstraint(text: string): TypeConstraint {
  return constraintOf(parseExpression(text));
}

const plain = (type: CtyType): TypeConstraint => ({ type, withDefaults: (value) => value });

function constraintOf(expression: Expression): TypeConstraint {
  if (expression.kind === "variable") {
    const { name } = expression;
    if (name === "string" || name === "number" || name === "bool") return plain(name);
    if (name === "any") return plain("dynamic");
    if (name === "list") return plain({ list: "dynamic" });
    if (name === "map") return plain({ map: "dynamic" });
  }
  if (expression.kind === "call") {
    const { name, args } = expression;
    const [arg] = args;
    if (arg !== undefined && (name === "list" || name === "set" || name === "map")) {
      const { type, withDefaults } = constraintOf(arg);
      const all = (value: Value): Value => mapped(value, withDefaults);
      if (name === "list") return { type: { list: type }, withDefaults: all };
      return { type: name === "set" ? { set: type } : { map: type }, withDefaults: all };
    }
    if (name === "tuple" && arg?.kind === "tuple") {
      const parts = arg.elements.map(constraintOf);
      return {
        type: { tuple: parts.map(({ type }) => type) },
        withDefaults: (value) =>
          mapped(value, (each, at) => parts[Number(at)]?.withDefaults(each) ?? each),
      };
    }
    if (name === "object" && arg?.kind === "object") return objectOf(arg.members.map(attributeOf));
  }
  throw new EvaluationError("The type of the variable is invalid.");
}

/** Changes the elements or members of a value from JSON. */
function mapped(value: Value, change: (part: Value, step: number | string) => Value): Value {
  if (Array.isArray(value.content)) return Value.tuple(value.elements().map(change));
  if (!(value.content instanceof Map)) return value;
  return Value.object([...value.members()].map(([name, part]) => [name, change(part, name)]));
}

function attributeOf([key, value]: readonly [Expression, Expression]) {
  const name = key.kind === "literal" ? (primitiveText(key.value) ?? "") : "";
  const isOptional = value.kind === "call" && value.name === "optional";
  const [inner = value, fallback] = isOptional ? value.args : [];
  const constraint = constraintOf(inner);
  const field: CtyField = { wire: name, name, type: constraint.type };
  return {
    ...constraint,
    field: isOptional ? { ...field, optional: true } : field,
    fallback: fallback && convert(constraint.withDefaults(constant(fallback)), constraint.type),
  };
}

const constant = (expression: Expression): Value =>
  evaluate(expression, {
    variable: () => undefined,
    call: () => {
      throw new EvaluationError("The default of an optional attribute must be a constant.");
    },
  });

function objectOf(attributes: readonly ReturnType<typeof attributeOf>[]): TypeConstraint {
  return {
    type: { object: attributes.map(({ field }) => field) },
    withDefaults: (value) => {
      if (!(value.content instanceof Map)) return value;
      const members = new Map(value.members());
      for (const { field, fallback, withDefaults } of attributes) {
        const given = members.get(field.wire);
        const found =
          given === undefined || given.isNull ? (fallback ?? given) : withDefaults(given);
        if (found !== undefined) members.set(field.wire, found);
      }
      return Value.object(members);
    },
  };
}
