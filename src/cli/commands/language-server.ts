import { Command } from "commander";
import type { LanguageServerOptions } from "../language-server/command";
import { repeated } from "./options";

/** `trivet lsp`: tells an editor what the stacks of a project will do, while somebody writes. */
export function languageServerCommand(): Command {
  return new Command("lsp")
    .summary("tell an editor what a deployment would change")
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
      const { runLanguageServer } = await import("../language-server/command.js");
      await runLanguageServer(options);
    });
}
