import type { IResolvable } from "cdktf";
import type { DataSourceMetaArguments } from "../../construct";
import type { Monotonic, ParameterFormType, ParameterType } from "./enums";

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

/** The properties of a {@link DataParameter}. Pass a token for an enum value as `Token.asAny(value)`. */
export interface DataParameterProps<
  T extends ParameterType = "string",
> extends DataSourceMetaArguments {
  /** Name of the parameter, unique in the template. After a change of the name, users must choose again. */
  readonly name: string;
  /**
   * Type of the value.
   *
   * - `string` is a string
   * - `number` is a number
   * - `bool` is `true` or `false`
   * - `list(string)` is a list of strings, as JSON
   *
   * @default string
   */
  readonly type?: T | IResolvable | undefined;
  /**
   * Form control with which users enter the value.
   *
   * - `radio` shows all options; users choose one
   * - `dropdown` shows a list of the options; users choose one
   * - `input` accepts a line of text, or a number
   * - `textarea` accepts several lines of text
   * - `slider` accepts a number between the bounds
   * - `checkbox` shows a checkbox
   * - `switch` shows a switch
   * - `multi-select` accepts any number of the options
   * - `tag-select` accepts any number of strings
   * - `error` marks a form control that could not be determined, and cannot be set
   *
   * @default depends on the type: `input`, `checkbox` or `tag-select`; with options `radio`
   */
  readonly formType?: ParameterFormType | IResolvable | undefined;
  /**
   * Name that users see.
   *
   * @default the name
   */
  readonly displayName?: string | undefined;
  /**
   * Description of the parameter, in Markdown.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * Value if users choose none: a value of the parameter's type, or its string form (a number's digits,
   * `true` or `false`, a list as JSON).
   *
   * @default none: users must choose
   */
  readonly default?: ParameterValue<T> | undefined;
  /**
   * Lets users change the value after the workspace has been created. A change may destroy data if it
   * replaces resources.
   *
   * @default false
   */
  readonly mutable?: boolean | IResolvable | undefined;
  /**
   * Uses the value for one build only. Such a parameter must be mutable and have a default.
   *
   * @default false
   */
  readonly ephemeral?: boolean | IResolvable | undefined;
  /**
   * URL of an icon. The built-in icons are under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Position of the parameter: lowest first, then by name.
   *
   * @default 0
   */
  readonly order?: number | undefined;
  /**
   * Appearance of the form control, as a JSON object.
   *
   * @default {}
   */
  readonly styling?: string | undefined;
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
