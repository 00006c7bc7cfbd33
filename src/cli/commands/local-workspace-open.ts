import { Command, InvalidArgumentError } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { type TemplateOptions, withTemplate } from "./local-workspace-options";

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
    .option("--port <number>", "port to listen on (default: any free port)", port)
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
  const stop = new AbortController();
  // A second Ctrl-C ends this process. Terraform, in its own process group, still stops gracefully.
  const end = (signal: NodeJS.Signals) => {
    process.exitCode = signal === "SIGINT" ? ExitCode.interrupted : ExitCode.ok;
    stop.abort();
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  const around = commandEnvironment();
  const serve = (env: NodeJS.ProcessEnv) =>
    runLocalWorkspacePage({
      platform: {
        env,
        template: folder,
        stateFolder: options.state ?? defaultStateFolder(folder, around),
        terraform: options.terraform,
        environmentPrefix: options.prefix,
        typePrefix: options.typePrefix,
        accessUrl: options.accessUrl,
      },
      variables: options.var,
      port: options.port,
      stdout: process.stdout,
      signal: stop.signal,
    });
  try {
    await withProviders(undefined, options.terraform, around, serve);
  } catch (failure) {
    if (!(failure instanceof LocalPlatformError)) throw failure;
    throw new CommandError(failure.message, failure.cure, ExitCode.failed, { cause: failure });
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
  }
}

function port(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number <= 65535) return number;
  throw new InvalidArgumentError("It must be an integer of at most 65535.");
}
