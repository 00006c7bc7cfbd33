import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { serveUntilStopped } from "../invocation/until-stopped";
import { type TemplateOptions, withPlatform, withTemplate } from "./local-workspace-options";
import { lastPort, wholeNumber } from "./options";

interface Options extends TemplateOptions {
  readonly port?: number;
}

/** `trivet local workspace open`: the page of a template. */
export function openCommand(): Command {
  const command = new Command("open")
    .summary("serve a page with the template's form and its workspaces")
    .description(
      "Serves a page on the loopback interface: the form as users of the template get it, and the " +
        "workspaces that are built from it.",
    );
  return withTemplate(command)
    .option("--port <number>", "port to listen on (default: any free port)", wholeNumber(lastPort))
    .addHelpText(
      "after",
      `
Prints the address to open. It contains a token, without which nobody can use
the page.

Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM. A
build that is running then is interrupted: Terraform stops gracefully and saves
its state.

Examples:
  trivet local workspace open cdktf.out/stacks/dev
  trivet local workspace open ./template --port 8080`,
    )
    .action(open);
}

async function open(folder: string, options: Options): Promise<void> {
  const { runLocalWorkspacePage } = await import("../../local/workspace/page/command.js");
  await serveUntilStopped((signal) =>
    withPlatform(folder, options, (platform, variables) =>
      runLocalWorkspacePage({
        platform,
        variables,
        port: options.port,
        stdout: process.stdout,
        signal,
      }),
    ),
  );
}
