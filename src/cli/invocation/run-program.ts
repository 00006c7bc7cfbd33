import { type Command, CommanderError } from "commander";
import { ExitCode } from "./exit-code";
import { failureOf, printFailure } from "./failure";
import { finishesWithoutOutput } from "./until-stopped";
import { writeText } from "../../core/redaction/output";

/** True if the result, and thus also a failure, is expected as JSON. */
let isJson = false;

async function parsed(program: Command): Promise<void> {
  endWithOutput();
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

/** Adds to all commands of a program how they show help. */
export function withCommonHelp(program: Command): Command {
  for (const command of everyCommand(program)) {
    const names = command.commands.map((each) => each.name()).join(", ");
    command
      .showHelpAfterError(
        names === ""
          ? "(`--help` shows the options)"
          : `${command.description()}\nCommands: ${names} (\`--help\` says more)`,
      )
      .configureOutput({
        writeOut: (text) => {
          writeText(process.stdout, text);
        },
        writeErr: (text) => {
          writeText(process.stderr, text);
        },
      })
      // With their options and arguments, the names leave too little room for what they do.
      .configureHelp({ subcommandTerm: (subcommand) => subcommand.name() });
  }
  return program;
}

/** Runs the program with the arguments of this process, prints a failure, and sets the exit code. */
export function runProgram(program: Command): void {
  parsed(program).catch((error: unknown) => {
    // Help and version.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const failure = failureOf(error);
    printFailure(failure, isJson);
    process.exitCode = failure.exitCode;
  });
}

/** A command and all commands below it. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
