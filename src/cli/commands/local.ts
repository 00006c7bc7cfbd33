import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { serveUntilStopped } from "../invocation/until-stopped";
import { localSigningCommand } from "./local-signing";
import { localWorkspaceCommand } from "./local-workspace";
import { explainLocalFailure } from "./local-failure";
import { lastPort, wholeNumber } from "./whole-number";

interface Options {
  readonly port: number;
  readonly polls?: number;
  readonly quota?: number;
  readonly fault?: readonly string[];
  readonly stateFile?: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** `trivet local`: the local back ends. */
export function localCommand(): Command {
  return new Command("local")
    .summary("run a local back end")
    .description("Runs a back end on this machine that behaves like the real service.")
    .addCommand(localIdsCommand())
    .addCommand(localSigningCommand())
    .addCommand(localWorkspaceCommand());
}

function localIdsCommand(): Command {
  return new Command("ids")
    .summary("the intrusion detection service")
    .description(
      "Runs the REST API of the intrusion detection service on the loopback interface. The " +
        "provider uses it only if its settings name it.",
    )
    .option("--port <number>", "port to listen on; 0 selects a free one", wholeNumber(lastPort), 0)
    .option("--polls <number>", "number of polls until an operation is done", wholeNumber())
    .option("--quota <number>", "endpoints per zone and project (default: 10)", wholeNumber())
    .option(
      "--fault <method:status[:count]>",
      "let requests fail, such as POST:503:2; can be repeated",
      (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
    )
    .option("--state-file <file>", "keep the endpoints in this file (default: in memory)")
    .option("--quiet", "do not print requests")
    .option("--json", "print the address as JSON")
    .addHelpText(
      "after",
      `
Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM.

Examples:
  trivet local ids --port 8080
  trivet local ids --polls 3 --state-file ids.json`,
    )
    .action(localIds);
}

async function localIds(options: Options): Promise<void> {
  const { runLocalIds } = await import("../../ids/local/command.js");
  const { parseFaultOption } = await import("../../ids/local/fault-option.js");
  const faults = (options.fault ?? []).map((text) => {
    const fault = parseFaultOption(text);
    if (fault !== undefined) return fault;
    const rule = "A fault is METHOD:STATUS or METHOD:STATUS:COUNT, such as POST:503:2.";
    throw new CommandError(`The option --fault has the value ${JSON.stringify(text)}.`, rule);
  });
  const serve = (signal: AbortSignal) =>
    runLocalIds({
      port: options.port,
      ...(options.polls === undefined ? {} : { polls: options.polls }),
      ...(options.stateFile === undefined ? {} : { stateFile: options.stateFile }),
      ...(options.quota === undefined ? {} : { quota: options.quota }),
      faults,
      quiet: options.quiet ?? false,
      json: options.json ?? false,
      stdout: process.stdout,
      stderr: process.stderr,
      signal,
    });
  await serveUntilStopped(serve).catch((failure: unknown) =>
    explainLocalFailure(failure, "The local back end", "trivet local ids"),
  );
}
