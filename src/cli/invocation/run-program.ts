import { type Command, CommanderError } from "commander";
import { writeText } from "../../core/redaction/output";
import { ExitCode, failureOf, printFailure } from "./failure";

/** True if the result, and thus also a failure, is expected as JSON. */
let isJson = false;

async function parsed(program: Command): Promise<void> {
  endWithOutput();
  for (const command of everyCommand(program)) {
    command.exitOverride((error) => {
      // The options of an invalid command line were not parsed.
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
 * Ends the process silently when its output is closed, as by `| head`, unless its work must be finished. Work continues if
 * only stderr is closed.
 */
function endWithOutput(): void {
  process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
    if (!isFinishing) process.exit(ExitCode.outputClosed);
  });
  process.stderr.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
  });
}

/** Sets how all commands of a program show help. */
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
      // With options and arguments, the names would leave too little room for the summaries.
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

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a task until Ctrl-C or a request to stop aborts its signal, after which the task ends by itself. A
 * second Ctrl-C ends this process. Processes in separate groups, such as Terraform's, still stop gracefully.
 */
export async function untilStopped<Result>(
  run: (stopped: AbortSignal) => Promise<Result>,
  onStop: (signal: NodeJS.Signals) => void = () => undefined,
): Promise<Result> {
  const stop = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    onStop(signal);
    stop.abort();
  };
  for (const signal of signals) process.once(signal, end);
  try {
    return await run(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** Runs a server until it is stopped, like {@link untilStopped}. */
export const serveUntilStopped = (run: (stopped: AbortSignal) => Promise<void>): Promise<void> =>
  untilStopped(run, (signal) => {
    process.exitCode = signal === "SIGINT" ? ExitCode.interrupted : ExitCode.ok;
  });

let isFinishing = false;

/**
 * Lets the process finish its work although its output is closed, as by `| head`. Otherwise, it exits, which aborts
 * everything that it has started.
 */
export function finishWithoutOutput(): void {
  isFinishing = true;
}
