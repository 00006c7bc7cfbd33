#!/usr/bin/env node
import { type Command, CommanderError } from "commander";
import { finishesWithoutOutput } from "./invocation/closed-output";
import { ExitCode } from "./invocation/exit-code";
import { failureOf, printFailure } from "./invocation/failure";
import { createProgram, everyCommand } from "./program";

/** True if the result, and thus also a failure, is expected as JSON. */
let isJson = false;

async function main(): Promise<void> {
  endWithOutput();
  const program = createProgram();
  for (const command of everyCommand(program)) {
    command.exitOverride((error) => {
      // The options of a refused command line were not parsed.
      isJson = takesJson(command) && process.argv.includes("--json");
      throw error;
    });
  }
  program.hook("preAction", (_, command) => {
    isJson = takesJson(command) && command.getOptionValue("json") === true;
  });
  await program.parseAsync();
}

const takesJson = ({ options }: Command): boolean => options.some(({ long }) => long === "--json");

/**
 * Ends the process silently when its output is closed, as by `| head`, unless its work must be finished. If
 * only stderr is closed, running work continues.
 */
function endWithOutput(): void {
  process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
    if (!finishesWithoutOutput()) process.exit(ExitCode.outputClosed);
  });
  process.stderr.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
  });
}

main().catch((error: unknown) => {
  // Help and version.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const failure = failureOf(error);
  printFailure(failure, isJson);
  process.exitCode = failure.exitCode;
});
