import { Fn, Token, type IResolvable } from "cdktf";
import { isToken } from "../../construct";
import type { ParameterType } from "../words/parameter-type";

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
    case "object":
      return isList(value) ? listText(value) : Token.asString(value);
    default:
      // What is missing stays so, for the checks to tell.
      return value;
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A token inside JSON would be put in without quotes of its own: Terraform is to write that list. */
function listText(list: readonly unknown[]): string {
  const holdsTokens = isToken(list) || list.some(isToken);
  return holdsTokens ? Token.asString(Fn.jsonencode(list)) : JSON.stringify(list);
}
