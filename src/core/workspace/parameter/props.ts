import { Fn, Token, Tokenization, type IResolvable } from "cdktf";
import { isToken, literalText, literalValues } from "../../construct";
import { tokenMisuse } from "../../construct/token/token-misuse";
import { UNKNOWN } from "../../schema";
import type { DataParameterBaseProps, Monotonic, ParameterType } from "./generated";
import { knownDefinition } from "./known-definition";
import { valueProblem } from "./value-problem";

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

/** A value from which users choose; `Value` is what the parameter's type allows. */
export interface ParameterOption<Value extends AnyParameterValue = string> {
  /** Name that users see, unique in the parameter. */
  readonly name: string;
  /**
   * Value of the parameter when the option is chosen. It must have the parameter's type and be unique.
   *
   * With the form control `multi-select`, it is one element of the list.
   */
  readonly value: Value;
  /**
   * Description of the option.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * URL of an icon.
   *
   * @default none
   */
  readonly icon?: string | undefined;
}

/** Rules for a parameter's value. */
export interface ParameterValidation {
  /**
   * Minimum, an integer. Use a `bigint` beyond `Number.MAX_SAFE_INTEGER`.
   *
   * @default none
   */
  readonly min?: number | bigint | undefined;
  /**
   * Maximum, an integer. Use a `bigint` beyond `Number.MAX_SAFE_INTEGER`.
   *
   * @default none
   */
  readonly max?: number | bigint | undefined;
  /**
   * In which direction a number may change from one build to the next.
   *
   * - `increasing` never decreases from one build to the next
   * - `decreasing` never increases from one build to the next
   *
   * @default either
   */
  readonly monotonic?: Monotonic | IResolvable | undefined;
  /**
   * Regular expression (RE2) that a part of the string must match. It needs an `error`.
   *
   * @default none
   */
  readonly regex?: string | undefined;
  /**
   * Message for users if the value is refused. `{min}`, `{max}` and `{value}` are replaced with the
   * bounds and the value.
   *
   * @default a message that describes the rule
   */
  readonly error?: string | undefined;
}

/** The properties of a {@link DataParameter}. */
export interface DataParameterProps<
  T extends ParameterType = "string",
> extends DataParameterBaseProps {
  readonly type?: T | IResolvable | undefined;
  /**
   * Value if users choose none: a value of the parameter's type, or its string form (a number's digits,
   * `true` or `false`, a list as JSON).
   *
   * @default none: users must choose
   */
  readonly default?: ParameterValue<T> | undefined;
  /**
   * Values from which users choose.
   *
   * @default users enter any value
   */
  readonly options?: readonly ParameterOption<ParameterValue<T>>[] | IResolvable | undefined;
  /**
   * Rules for the value.
   *
   * @default any value of the type
   */
  readonly validation?: ParameterValidation | undefined;
}

/** Checks for a list, as opposed to a token for one. */
export const isList = <Each>(
  value: readonly Each[] | IResolvable | undefined,
): value is readonly Each[] => Array.isArray(value);

/** Checks whether a value has a parameter's type. True for all values if the type is a token. */
function isOfType(type: ParameterType | IResolvable, value: AnyParameterValue): boolean {
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
 * Returns the string form of a value: a number's digits, `true` or `false`, a list as JSON.
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

/** Lets Terraform encode a list that contains tokens: inside literal JSON, their values would lack quotes. */
function listString(list: readonly unknown[]): string {
  const hasTokens = isToken(list) || list.some(isToken);
  return hasTokens ? Token.asString(Fn.jsonencode(list)) : JSON.stringify(list);
}

/**
 * The properties of a parameter of any type, with values as strings. A value of the wrong type is kept
 * unchanged, so that validation rejects it.
 */
export interface AnyParameterProps extends Omit<
  DataParameterProps,
  "type" | "default" | "options"
> {
  readonly type?: ParameterType | IResolvable | undefined;
  readonly default?: AnyParameterValue | undefined;
  readonly options?: readonly ParameterOption<AnyParameterValue>[] | IResolvable | undefined;
}

/** Converts the default and the values of the options to strings. */
export function withStringValues(props: AnyParameterProps): AnyParameterProps {
  const { type = "string", default: value, options } = props;
  const asString = (given: AnyParameterValue): AnyParameterValue =>
    isOfType(type, given) ? parameterString(given) : given;
  return {
    ...props,
    ...(value !== undefined && { default: asString(value) }),
    ...(isList(options) && {
      options: options.map((option) => ({ ...option, value: asString(option.value) })),
    }),
  };
}

/** Returns a function that checks values against the literal part of a parameter's definition. */
export function refusalOf({
  type = "string",
  ...props
}: AnyParameterProps): (value: AnyParameterValue) => string | undefined {
  // Read once: the caller may change the properties later.
  const { defaultRules } = knownDefinition(
    literalValues({ ...props, type }),
    (value) => value === UNKNOWN,
  );
  return (value) => {
    if (!isOfType(type, value)) return `must have the type ${String(type)}`;
    const string = parameterString(value);
    if (defaultRules === undefined || isToken(string)) return undefined;
    return valueProblem(defaultRules, literalText(string))?.message;
  };
}
