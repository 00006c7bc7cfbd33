/** The error for a failed step of an acceptance test. The message names the step and the problem. */
export class AcceptanceFailure extends Error {
  override readonly name = "AcceptanceFailure";

  constructor(
    /** The name of the step, such as `step 2 of 3`. */
    readonly step: string,
    message: string,
  ) {
    super(`${step}: ${message}`);
  }
}

/** @throws Error with a line for each problem, if there are any */
export function expectNone(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new Error([what, ...problems.map((problem) => `  ${problem}`)].join("\n"));
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
