import type { IResolvable } from "cdktf";
import type { DataParameterBaseProps, Monotonic, ParameterType } from "./generated";

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
