import { Fn, Token, Tokenization, type IResolvable } from "cdktf";
import { isToken } from "../../construct";
import { tokenMisuse } from "../../construct/token/token-misuse";
import type { ParameterType } from "./enums";

/**
 * A value of a parameter of a type: a text, as Terraform and the platform have it, or the JavaScript
 * value that it stands for.
 */
export type ParameterValue<T extends ParameterType> = string | NaturalValues[T];

interface NaturalValues {
  readonly string: string;
  readonly number: number | bigint;
  readonly bool: boolean | IResolvable;
  readonly "list(string)": readonly string[];
}

/** A value of a parameter of any type. */
export type AnyParameterValue = ParameterValue<ParameterType>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Whether a value is of a parameter's type as the compiler has it; all are while the type is open. */
export function isOfType(type: ParameterType | IResolvable, value: AnyParameterValue): boolean {
  const may = (word: ParameterType): boolean => type === word || isToken(type);
  switch (typeof value) {
    case "string":
      return true;
    case "number":
      return may("number") && tokenMisuse(value) === undefined;
    case "bigint":
      return may("number");
    case "boolean":
      return may("bool");
    default:
      return isList(value) ? may("list(string)") : Tokenization.isResolvable(value);
  }
}

/**
 * The text that stands for a value: a number's digits, `true` or `false`, a list as JSON.
 *
 * What holds tokens becomes one.
 */
export function parameterText(value: AnyParameterValue): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return isToken(value) ? Token.asString(value) : String(value);
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return isList(value) ? listText(value) : Token.asString(value);
  }
}

/** A token inside of JSON would have no quotes of its own: Terraform is to write such a list. */
function listText(list: readonly unknown[]): string {
  const holdsTokens = isToken(list) || list.some(isToken);
  return holdsTokens ? Token.asString(Fn.jsonencode(list)) : JSON.stringify(list);
}
