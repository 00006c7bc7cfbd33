import { CommandError } from "../invocation/command-error";

/**
 * Explains why a local service has failed. Its errors without an error code are messages for the user.
 *
 * @param what the part that failed, such as "The local back end"
 * @param command whose `--help` shows the options
 * @throws CommandError, or the failure itself if it does not come from the service
 */
export function explainLocalFailure(failure: unknown, what: string, command: string): never {
  if (!(failure instanceof Error) || "code" in failure) throw failure;
  throw new CommandError(
    `${what} failed: ${failure.message}.`,
    `\`${command} --help\` shows the options.`,
  );
}
