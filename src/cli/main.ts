#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { CommandError } from "./invocation/command-error";
import { doctorCommand } from "./commands/doctor";
import { execCommand } from "./commands/exec";
import { installCommand } from "./commands/install";
import { localCommand } from "./commands/local";
import { exitCodesHelp, ExitCode } from "./invocation/exit-code";
import { packageVersion } from "./package/package-root";

async function main(): Promise<void> {
  endWithOutput();
  const program = new Command("trivet")
    .description(
      "Installs the Trivet providers for Terraform and OpenTofu, and runs tools with them.",
    )
    .version(packageVersion(), "-V, --version", "print the version")
    .enablePositionalOptions()
    .showHelpAfterError("(`--help` shows the options)")
    .addHelpText(
      "after",
      `
Examples:
  trivet exec -- cdktf deploy      run cdktf so that it finds the providers
  trivet install                   install them where Terraform looks by default
  trivet local ids --port 8080     a local intrusion detection service
  trivet local signing             a local registry and all services for signing images
  trivet local workspace --help    build workspaces as the platform does, on this machine
  trivet doctor                    find problems and how to fix them
${exitCodesHelp}`,
    );
  for (const command of [installCommand(), execCommand(), localCommand(), doctorCommand()]) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  for (const command of everyCommand(program)) command.exitOverride();
  await program.parseAsync();
}

/**
 * Ends the process silently when its output is closed, as by `| head`. If only stderr is closed, running
 * work continues.
 */
function endWithOutput(): void {
  process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
    process.exit(ExitCode.outputClosed);
  });
  process.stderr.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
  });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

main().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    // commander has printed the problem. Help and version exit with 0.
    process.exitCode = error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
  } else if (error instanceof CommandError) {
    console.error(`trivet: ${error.message}\n${error.fix}`);
    process.exitCode = error.exitCode;
  } else {
    console.error("trivet failed:", error);
    process.exitCode = ExitCode.failed;
  }
});
