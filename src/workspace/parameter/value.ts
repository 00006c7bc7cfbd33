import { Fn, Token, Tokenization, type IResolvable } from "cdktf";
import { isToken } from "../../construct";
import { tokenMisuse } from "../../construct/token/token-misuse";
import type { ParameterType } from "./enums";

/**
 * A value of a parameter with a given type: a string, as used by Terraform and the platform, or the
 * corresponding JavaScript value.
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

/** Whether a value has a parameter's type. True for all values if the type is a token. */
export function isOfType(type: ParameterType | IResolvable, value: AnyParameterValue): boolean {
  const may = (other: ParameterType): boolean => type === other || isToken(type);
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
 * The string form of a value: a number's digits, `true` or `false`, a list as JSON.
 *
 * A value that contains tokens becomes a token.
 */
export function parameterString(value: AnyParameterValue): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return isToken(value) ? Token.asString(value) : String(value);
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return isList(value) ? listString(value) : Token.asString(value);
  }
}

/** Terraform must encode a list that contains tokens: inside literal JSON they would lack quotes. */
function listString(list: readonly unknown[]): string {
  const hasTokens = isToken(list) || list.some(isToken);
  return hasTokens ? Token.asString(Fn.jsonencode(list)) : JSON.stringify(list);
}
