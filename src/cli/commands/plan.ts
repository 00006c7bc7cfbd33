import { Command } from "commander";
import type { StackOptions } from "../deploy/command";
import { splitOperands, withStackOptions } from "./stack-options";

/** `trivet plan`: shows what a deployment would change. */
export function planCommand(): Command {
  return withStackOptions(new Command("plan"))
    .summary("show what a deployment of stacks would change")
    .description(
      "Synthesizes the stacks of a cdktf or cdktn project and shows what Terraform would change. " +
        "Changes nothing.",
    )
    .option("--json", "print the changes as JSON")
    .addHelpText(
      "after",
      `
Values that a provider marks as sensitive are never shown.

Examples:
  trivet plan                           the only stack
  trivet plan network 'app-*'
  trivet plan app -- -refresh-only      with an option of \`terraform plan\``,
    )
    .action(async (operands: readonly string[], options: StackOptions) => {
      const { runStackCommand } = await import("../deploy/command.js");
      await runStackCommand({ verb: "plan", ...splitOperands(operands), options });
    });
}
