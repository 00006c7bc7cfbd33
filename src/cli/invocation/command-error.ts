import { ExitCode } from "./exit-code";

/** A failure that the user can fix. It is printed without a stack trace, with advice on how to fix it. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /**
   * @param fix how to fix it, in full sentences
   * @param exitCode @default ExitCode.failed
   */
  constructor(
    message: string,
    readonly fix: string,
    readonly exitCode: number = ExitCode.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
