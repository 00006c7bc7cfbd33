import { createInterface } from "node:readline/promises";
import { CommandError, ExitCode } from "../invocation/failure";
import type { Verb } from "./stack-result";

const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Refuses to start a command that cannot be approved.
 *
 * @throws CommandError without a terminal
 */
export function refuseUnapproved(verb: Verb): void {
  if (verb === "plan" || hasTerminal()) return;
  throw new CommandError(
    "There is no terminal on which you could approve the changes.",
    "Add --auto-approve to make them without being asked. `trivet plan` only shows them.",
    ExitCode.usage,
  );
}

/**
 * Asks on the terminal. Only "yes" approves.
 *
 * @param aborted ends the question, which is then not approved
 */
export async function askApproval(
  stack: string,
  verb: Verb,
  aborted: AbortSignal,
): Promise<boolean> {
  // Without raw mode: Ctrl-C remains a signal.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  const question =
    verb === "destroy"
      ? `Destroy all resources of ${stack}? Only "yes" is accepted: `
      : `Make these changes in ${stack}? Only "yes" is accepted: `;
  const ended = new Promise<string>((resolve) => {
    // The end of the input.
    lines.once("close", () => {
      resolve("");
    });
  });
  try {
    const answer = lines.question(question, { signal: aborted });
    return (await Promise.race([answer, ended])).trim() === "yes";
  } catch (failure) {
    if (aborted.aborted) return false;
    throw failure;
  } finally {
    lines.close();
  }
}
