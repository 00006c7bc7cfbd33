import { Command } from "commander";
import type { StackOptions } from "../deploy/command";
import { splitOperands, withChangeOptions } from "./stack-options";

/** `trivet watch`: deploys stacks after each change of the sources. */
export function watchCommand(): Command {
  return withChangeOptions(new Command("watch"))
    .summary("deploy stacks, and again after each change of the sources")
    .description(
      "Deploys stacks of a cdktf or cdktn project as `trivet deploy` does, and again whenever a " +
        "file of the project changes. Without --auto-approve, it asks each time.",
    )
    .addHelpText(
      "after",
      `
Does not watch the synthesized stacks, node_modules, states, compiled
TypeScript, and everything whose name begins with a dot. A failure does not end
it, but Ctrl-C does.

Examples:
  trivet watch --auto-approve           the only stack
  trivet watch network app --auto-approve`,
    )
    .action(async (operands: readonly string[], options: StackOptions) => {
      const { watch } = await import("../watch/watch.js");
      await watch({ verb: "deploy", ...splitOperands(operands), options });
    });
}
