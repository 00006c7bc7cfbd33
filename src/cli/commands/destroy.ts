import { Command } from "commander";
import type { StackOptions } from "../deploy/command";
import { splitOperands, withChangeOptions } from "./stack-options";

/** `trivet destroy`: destroys what stacks have created. */
export function destroyCommand(): Command {
  return withChangeOptions(new Command("destroy"))
    .summary("destroy everything that stacks have created")
    .description(
      "Shows what stacks of a cdktf or cdktn project have created, asks, and destroys it. Each " +
        "stack comes before those that it depends on.",
    )
    .option("--json", "print the result as JSON, and what happens on standard error")
    .addHelpText(
      "after",
      `
Examples:
  trivet destroy                        the only stack
  trivet destroy '*' --auto-approve     all stacks`,
    )
    .action(async (operands: readonly string[], options: StackOptions) => {
      const { runStackCommand } = await import("../deploy/command.js");
      await runStackCommand({ verb: "destroy", ...splitOperands(operands), options });
    });
}
