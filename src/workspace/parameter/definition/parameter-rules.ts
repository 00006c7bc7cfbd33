import type { ParameterType } from "./form-type";

/** What the values of a parameter must satisfy. Do not modify the object: results are cached. */
export interface ParameterRules {
  readonly type: ParameterType;
  readonly formType: string;
  /** Empty if users enter any value. */
  readonly options: readonly ParameterOption[];
  /** Undefined if there is no such block. Even an empty block restricts numbers to integers. */
  readonly validation: ParameterValidation | undefined;
}

/** One of the values from which users choose. */
export interface ParameterOption {
  readonly name: string;
  readonly value: string;
}

/** Bounds, direction and regular expression; null means unset. */
export interface ParameterValidation {
  readonly min?: number | bigint | null | undefined;
  readonly max?: number | bigint | null | undefined;
  readonly monotonic?: string | null | undefined;
  readonly regex?: string | null | undefined;
  /** Custom message, in which `{min}`, `{max}` and `{value}` are replaced. */
  readonly error?: string | null | undefined;
}
