import { Argument, Command } from "commander";
import { writeText } from "../../core/redaction/output";
import type { Shell } from "../completion/candidates";
import { ExitCode, print, printJson } from "../invocation/failure";

/** `trivet explain`: what the code of an error or a warning means. */
export function explainCommand(): Command {
  return new Command("explain")
    .summary("what the code of an error or a warning means")
    .description(
      "Prints the page of a code: the rule, the reason for it, and a wrong and a right example. " +
        "Without a code, it lists all codes.",
    )
    .argument("[code]", "the code at the end of a message")
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

interface Options {
  readonly dir?: string;
  readonly json?: true;
}

/** `trivet doctor`: reports problems of the installation. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .summary("find problems and how to fix them")
    .description(
      "Reports what no other command explains: providers that Terraform does not find, lock files with another checksum, " +
        "second copies of libraries, and settings that get in the way. Says how to fix them. Changes nothing.",
    )
    .option("--dir <folder>", "the mirror to check (default: the user's plugin folder)")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
Exits with ${ExitCode.failed} if it finds a problem. Warnings do not count.

Examples:
  trivet doctor
  trivet doctor --dir ./mirror`,
    )
    .action(doctor);
}

async function doctor({ dir, json }: Options): Promise<void> {
  const { builtPackages } = await import("../package/built-package.js");
  const { mirrorFolder } = await import("../package/mirror.js");
  const { packageRoot } = await import("../../core/process/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { describe, examine } = await import("../doctor/examine.js");
  const around = commandEnvironment();
  const built = await builtPackages(packageRoot());
  const observations = await examine(around, mirrorFolder(dir, around), built);
  const problems = observations.filter(({ status }) => status === "problem").length;
  const warnings = observations.length - problems;
  if (json === true) printJson({ observations, problems, warnings });
  else {
    if (observations.length > 0) print(`${describe(observations)}\n`);
    print(`${count(problems, "problem")}, ${count(warnings, "warning")}`);
  }
  if (problems > 0) process.exitCode = ExitCode.failed;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

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
      const { completionScript } = await import("../completion/candidates.js");
      writeText(process.stdout, completionScript(shell));
    })
    .addCommand(candidatesCommand(program), { hidden: true });
}

function candidatesCommand(program: () => Command): Command {
  return new Command("candidates")
    .argument("[words...]", "the words after `trivet`, the last one incomplete")
    .action(async (words: readonly string[]) => {
      const { candidates, withStackNames } = await import("../completion/candidates.js");
      const lines = candidates(await withStackNames(program()), words).map(
        ({ word, help }) => `${word}\t${help}\n`,
      );
      writeText(process.stdout, lines.join(""));
    });
}
