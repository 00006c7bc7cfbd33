import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { serveUntilStopped } from "../invocation/until-stopped";
import { platformSettings, type TemplateOptions, withTemplate } from "./local-workspace-options";
import { lastPort, wholeNumber } from "./whole-number";

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
  const { defaultStateFolder } = await import("../../workspace/local/command.js");
  const { runLocalWorkspacePage } = await import("../../workspace/local/page/command.js");
  const { LocalPlatformError } =
    await import("../../workspace/local/terraform/local-platform-error.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { withProviders } = await import("../exec/with-providers.js");
  const around = commandEnvironment();
  const platform = platformSettings(folder, options, defaultStateFolder(folder, around));
  const serve = (env: NodeJS.ProcessEnv, signal: AbortSignal) =>
    runLocalWorkspacePage({
      platform: { env, ...platform },
      variables: options.var,
      port: options.port,
      stdout: process.stdout,
      signal,
    });
  try {
    await serveUntilStopped((signal) =>
      withProviders(undefined, options.terraform, around, (env) => serve(env, signal)),
    );
  } catch (failure) {
    if (!(failure instanceof LocalPlatformError)) throw failure;
    throw new CommandError(failure.message, failure.cure, ExitCode.failed, { cause: failure });
  }
}
