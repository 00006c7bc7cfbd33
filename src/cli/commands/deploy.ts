import { Command } from "commander";
import type { StackOptions } from "../deploy/command";
import { splitOperands, withChangeOptions } from "./stack-options";

/** `trivet deploy`: creates and updates the resources of stacks. */
export function deployCommand(): Command {
  return withChangeOptions(new Command("deploy"))
    .summary("deploy stacks, as `cdktf deploy` does, in less time")
    .description(
      "Synthesizes the stacks of a cdktf or cdktn project, shows what changes, asks, and changes " +
        "exactly that. Each stack comes after those that it depends on.",
    )
    .option("--json", "print the result as JSON, and what happens on standard error")
    .addHelpText(
      "after",
      `
Works in the same folders and on the same states as \`cdktf deploy\`, so that
both can take turns. Our providers start once for the whole command.

Ctrl-C lets Terraform finish what it does and save its state. A second one ends
it immediately.

Examples:
  trivet deploy                         the only stack
  trivet deploy network 'app-*' --auto-approve
  trivet deploy app --var size=3 -- -replace=ids_endpoint.edge`,
    )
    .action(async (operands: readonly string[], options: StackOptions) => {
      const { runStackCommand } = await import("../deploy/command.js");
      await runStackCommand({ verb: "deploy", ...splitOperands(operands), options });
    });
}
