import type { ParameterType } from "./form-type";

/** What the values of a parameter must satisfy. The object is read once: it must not be changed. */
export interface ParameterRules {
  readonly type: ParameterType;
  readonly formType: string;
  /** Empty when users are free to write. */
  readonly options: readonly ParameterOption[];
  /** Undefined when there is no such block: an empty one makes numbers whole. */
  readonly validation: ParameterValidation | undefined;
}

/** One of the values from which users choose. */
export interface ParameterOption {
  readonly name: string;
  readonly value: string;
}

/** Bounds, direction and pattern; null is absent. */
export interface ParameterValidation {
  readonly min?: number | bigint | null | undefined;
  readonly max?: number | bigint | null | undefined;
  readonly monotonic?: string | null | undefined;
  readonly regex?: string | null | undefined;
  /** Words instead of ours, with `{min}`, `{max}` and `{value}`. */
  readonly error?: string | null | undefined;
}
