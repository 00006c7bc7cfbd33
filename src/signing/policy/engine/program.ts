/** A policy in another language, over the JSON of an attestation or of the results of authorities. */
export interface PolicyProgram {
  readonly type: "cue" | "rego";
  readonly data: string;
  /**
   * Whether a policy in CUE accepts an input that lacks a field which the policy sets to a value, as CUE itself and
   * the policy controller do.
   *
   * @default "refused"
   */
  readonly missing?: "refused" | "allowed" | undefined;
}

/** The answer of a program: it accepts its input, or refuses it. */
export type ProgramAnswer =
  | { readonly isCompliant: true; readonly warning?: string | undefined }
  | {
      readonly isCompliant: false;
      /** A predicate without a full stop. */
      readonly problem: string;
      readonly warning?: string | undefined;
      /** True if the program could not be evaluated, so that it has not refused its input. @default false */
      readonly isUndecided?: boolean | undefined;
    };

/** Evaluates a program over JSON. Any failure is an answer that refuses. */
export type EvaluateProgram = (program: PolicyProgram, input: string) => Promise<ProgramAnswer>;

export const refuses = (problem: string): ProgramAnswer => ({ isCompliant: false, problem });

export const undecided = (problem: string): ProgramAnswer => ({
  isCompliant: false,
  problem: `cannot be evaluated: ${problem}`,
  isUndecided: true,
});

/** Refuses every program: the default where programs cannot be evaluated. */
export const cannotEvaluate: EvaluateProgram = () =>
  Promise.resolve(undecided("CUE and Rego are not available here"));
