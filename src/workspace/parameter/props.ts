import type { IResolvable } from "cdktf";
import type { DataSourceMetaArguments } from "../../construct";
import type { Monotonic, ParameterFormType, ParameterType } from "./enums";
import type { AnyParameterValue, ParameterValue } from "./value";

/** A value from which users choose; `Value` is what the parameter's type allows. */
export interface ParameterOption<Value extends AnyParameterValue = string> {
  /** Name that users see, one of its own in the parameter. */
  readonly name: string;
  /**
   * Value of the parameter when the option is chosen, of the parameter's type and one of its own.
   *
   * With the form type `multi-select` it is one element of the list.
   */
  readonly value: Value;
  /**
   * What the option means.
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

/** What a parameter's value must satisfy. */
export interface ParameterValidation {
  /**
   * Least number, a whole one; beyond `Number.MAX_SAFE_INTEGER` a `bigint`.
   *
   * @default none
   */
  readonly min?: number | bigint | undefined;
  /**
   * Greatest number, a whole one; beyond `Number.MAX_SAFE_INTEGER` a `bigint`.
   *
   * @default none
   */
  readonly max?: number | bigint | undefined;
  /**
   * In which direction a number may change from one build to the next.
   *
   * @default either
   */
  readonly monotonic?: Monotonic | IResolvable | undefined;
  /**
   * Regular expression (RE2) that a part of the text must match; it needs an `error`.
   *
   * @default none
   */
  readonly regex?: string | undefined;
  /**
   * What users read when the value is refused; `{min}`, `{max}` and `{value}` stand for the bounds
   * and the value.
   *
   * @default a sentence that names the rule
   */
  readonly error?: string | undefined;
}

/** The properties of a {@link DataParameter}. Tokens of words are given as `Token.asAny(text)`. */
export interface DataParameterProps<
  T extends ParameterType = "string",
> extends DataSourceMetaArguments {
  /** Name of the parameter, one of its own in the template. A new name asks users again. */
  readonly name: string;
  /**
   * What the value is.
   *
   * @default string
   */
  readonly type?: T | IResolvable | undefined;
  /**
   * How users enter the value.
   *
   * @default what fits the type: `input`, `checkbox` or `tag-select`; with options `radio`
   */
  readonly formType?: ParameterFormType | IResolvable | undefined;
  /**
   * Name that users see.
   *
   * @default the name
   */
  readonly displayName?: string | undefined;
  /**
   * What the parameter does, in Markdown.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * Value of users who choose none: of the parameter's type, or the text that stands for it (a
   * number's digits, `true` or `false`, a list as JSON).
   *
   * @default none: users must choose
   */
  readonly default?: ParameterValue<T> | undefined;
  /**
   * Whether the value can be changed after the workspace was created, which may destroy data where
   * resources are replaced.
   *
   * @default false
   */
  readonly mutable?: boolean | IResolvable | undefined;
  /**
   * Whether the value serves one build only. Such a parameter is mutable and has a default.
   *
   * @default false
   */
  readonly ephemeral?: boolean | IResolvable | undefined;
  /**
   * URL of an icon; built-in ones stand under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Position of the parameter: lowest first, equal ones by name.
   *
   * @default 0
   */
  readonly order?: number | undefined;
  /**
   * How the form looks, as a JSON object.
   *
   * @default {}
   */
  readonly styling?: string | undefined;
  /**
   * Values from which users choose.
   *
   * @default users write the value
   */
  readonly options?: readonly ParameterOption<ParameterValue<T>>[] | IResolvable | undefined;
  /**
   * What a value must satisfy.
   *
   * @default whatever the type allows
   */
  readonly validation?: ParameterValidation | undefined;
}
