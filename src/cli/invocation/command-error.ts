import { ExitCode } from "./exit-code";

/** A failure that is told to the user in two sentences, without a stack trace: what, and the way out. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(
    message: string,
    readonly cure: string,
    readonly exitCode: number = ExitCode.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
