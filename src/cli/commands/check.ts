import { Command } from "commander";
import type { CheckOptions } from "../check/command";
import type { LanguageServerOptions } from "../language-server/server";
import { repeated } from "./options";

/** `trivet check`: shows what is wrong with stacks, and what a deployment would change. */
export function checkCommand(): Command {
  return new Command("check")
    .summary("show what a deployment would change, without Terraform and the network")
    .description(
      "Synthesizes the stacks of a cdktf or cdktn project, checks every rule, and plans them in this process. " +
        "Needs no credentials and no network, and writes and installs nothing.",
    )
    .argument("[stacks...]", "names, or patterns with * and ?; all stacks by default")
    .option("--against <path>", "a state file, or a folder of stacks synthesized before")
    .option("--refuse <changes>", "changes that are not allowed; can be repeated", repeated)
    .option("--var <name=value>", "a variable of the stacks; can be repeated", repeated)
    .option("--var-file <file>", "a file with variables; can be repeated", repeated)
    .option("--watch", "check again after each change of the sources")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Compares with the local state of a stack, if it has one, as it is stored: what
has changed outside of Terraform does not show. What cannot be known without
the network is listed, and never guessed.

--refuse takes create, update, replace and destroy, each for all resources or
for one type. A replacement is refused with destroy, too. The exit code is 3 if
a change is refused.

Examples:
  trivet check                             all stacks, against their states
  trivet check app --against main.out      what this commit does to another one
  trivet check --refuse replace,destroy:ids_endpoint`,
    )
    .action(async (stacks: readonly string[], options: CheckOptions) => {
      const { runCheck } = await import("../check/command.js");
      await runCheck(stacks, options);
    });
}

/** `trivet lsp`: shows in an editor what the stacks of a project will do, while somebody writes. */
export function languageServerCommand(): Command {
  return new Command("lsp")
    .summary("show in an editor what a deployment would change")
    .description(
      "A language server on standard input and output, which editors start. It checks the stacks of a project while " +
        "one of its files is open, as trivet check does, and again after each change.",
    )
    .option("--against <path>", "a state file, or a folder of stacks synthesized before")
    .option("--refuse <changes>", "changes that are shown as errors; can be repeated", repeated)
    .option("--var <name=value>", "a variable of the stacks; can be repeated", repeated)
    .option("--var-file <file>", "a file with variables; can be repeated", repeated)
    .option("--stdio", "how editors may say that they use standard input and output")
    .action(async (options: LanguageServerOptions) => {
      const { runLanguageServer } = await import("../language-server/server.js");
      await runLanguageServer(options);
    });
}
