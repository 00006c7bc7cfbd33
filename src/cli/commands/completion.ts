import { Argument, Command } from "commander";
import type { Shell } from "../completion/completion-script";
import { writeText } from "../../core/redaction/output";

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

/**
 * `trivet completion`: prints the script with which a shell completes our commands.
 *
 * @param program the command with all subcommands, which is complete only after this one was added
 */
export function completionCommand(program: () => Command): Command {
  return new Command("completion")
    .summary("complete commands and options in your shell")
    .description(
      "Prints a script that makes your shell complete the commands and options of trivet, and the " +
        "stacks that were synthesized last.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      `
The shell must find \`trivet\` on its PATH: install the package with
\`npm install --global\`, or add node_modules/.bin to PATH.

Examples:
  source <(trivet completion bash)            in ~/.bashrc
  source <(trivet completion zsh)             in ~/.zshrc, after compinit
  trivet completion fish | source             in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import("../completion/completion-script.js");
      writeText(process.stdout, completionScript(shell));
    })
    .addCommand(candidatesCommand(program), { hidden: true });
}

function candidatesCommand(program: () => Command): Command {
  return new Command("candidates")
    .argument("[words...]", "the words after `trivet`, the last one incomplete")
    .action(async (words: readonly string[]) => {
      const { candidates } = await import("../completion/candidates.js");
      const { withStackNames } = await import("../completion/stack-names.js");
      const lines = candidates(await withStackNames(program()), words).map(
        ({ word, help }) => `${word}\t${help}\n`,
      );
      writeText(process.stdout, lines.join(""));
    });
}
