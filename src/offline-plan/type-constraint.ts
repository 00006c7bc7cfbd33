import { parseExpression } from "../expression/parse";
import type { Expression } from "../expression/syntax";
import { EvaluationError, primitiveText } from "../expression/value";
import type { CtyField, CtyType } from "../provider-kit/values";

/**
 * Parses the type of a variable, such as `list(string)`. Default values of optional attributes are not read.
 *
 * @throws EvaluationError when it is no type
 */
export function parseTypeConstraint(text: string): CtyType {
  return typeOf(parseExpression(text));
}

function typeOf(expression: Expression): CtyType {
  if (expression.kind === "variable") {
    const { name } = expression;
    if (name === "string" || name === "number" || name === "bool") return name;
    if (name === "any" || name === "list" || name === "map") {
      return name === "any" ? "dynamic" : ({ [name]: "dynamic" } as unknown as CtyType);
    }
  }
  if (expression.kind === "call") {
    const [arg] = expression.args;
    if (arg !== undefined) {
      if (expression.name === "list") return { list: typeOf(arg) };
      if (expression.name === "set") return { set: typeOf(arg) };
      if (expression.name === "map") return { map: typeOf(arg) };
      if (expression.name === "tuple" && arg.kind === "tuple") {
        return { tuple: arg.elements.map(typeOf) };
      }
      if (expression.name === "object" && arg.kind === "object") {
        return { object: arg.members.map(fieldOf) };
      }
    }
  }
  throw new EvaluationError("The type of the variable is invalid.");
}

function fieldOf([key, value]: readonly [Expression, Expression]): CtyField {
  const name = key.kind === "literal" ? (primitiveText(key.value) ?? "") : "";
  const isOptional = value.kind === "call" && value.name === "optional";
  const [inner = value] = isOptional ? value.args : [];
  const field = { wire: name, name, type: typeOf(inner) };
  return isOptional ? { ...field, optional: true } : field;
}
