import { Argument, Command } from "commander";
import { withCompletion } from "../completion/completed-values";
import { explainedCodes, verdictCodes } from "../explain/code-pages";

/** `trivet explain`: what the code of an error or a warning means. */
export function explainCommand(): Command {
  return new Command("explain")
    .summary("what the code of an error or a warning means")
    .description(
      "Prints the page of a code: the rule, the reason for it, and a wrong and a right example. " +
        "Without a code, it lists all codes.",
    )
    .addArgument(
      withCompletion(new Argument("[code]", "the code at the end of a message"), () => [
        ...new Set([...explainedCodes(), ...verdictCodes()].map(({ code }) => code)),
      ]),
    )
    .option("--json", "print the page, or the list, as JSON")
    .addHelpText(
      "after",
      `
Examples:
  trivet explain INVALID_ARGUMENT
  trivet explain endpoint-without-network
  trivet explain IDENTITY                    in a verdict about an image
  trivet explain                             all codes`,
    )
    .action(async (code: string | undefined, options: { readonly json?: true }) => {
      const { explain } = await import("../explain/command.js");
      explain(code, options.json === true);
    });
}
