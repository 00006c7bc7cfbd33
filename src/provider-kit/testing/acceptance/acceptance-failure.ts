/** A step of an acceptance test failed. The message names the step and says what is wrong. */
export class AcceptanceFailure extends Error {
  override readonly name = "AcceptanceFailure";

  constructor(
    /** How the step is named, such as `step 2 of 3`. */
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

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
