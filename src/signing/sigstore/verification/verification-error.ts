import { DerError } from "../der/der-error";
import { FormatError } from "../payload/format-error";
import { JsonError } from "../../../json/json-error";
import type { Verification, VerificationCode, VerificationProblem, Verified } from "./verification";

/** Ends a verification. {@link attempt} converts it to a problem, so callers never see it. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";

  constructor(
    readonly code: VerificationCode,
    message: string,
  ) {
    super(message);
  }
}

/** Runs a verification, and converts errors about the input to a problem. */
export function attempt<T extends Verified>(steps: () => T): Verification<T> {
  try {
    return steps();
  } catch (error) {
    return problemOf(error, "FORMAT");
  }
}

/** Runs a step in which unreadable bytes are reported with a given code. */
export function within<T>(code: VerificationCode, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const { problem, code: found } = problemOf(error, code);
    throw new VerificationError(found, problem);
  }
}

/** Rethrows errors that are not about the input: they are bugs. */
function problemOf(error: unknown, code: VerificationCode): VerificationProblem {
  if (error instanceof VerificationError) return { code: error.code, problem: error.message };
  if (error instanceof DerError || error instanceof JsonError || error instanceof FormatError) {
    return { code, problem: error.message };
  }
  throw error;
}
