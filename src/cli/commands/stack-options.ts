import { type Command, InvalidArgumentError } from "commander";

/** Adds the argument and the options that all commands for stacks have. */
export function withStackOptions(command: Command): Command {
  return command
    .argument("[stacks...]", "names, or patterns with * and ?; the only stack by default")
    .usage("[options] [stacks...] [-- <terraform options...>]")
    .option("--dir <folder>", "the mirror to use (default: the user's plugin folder)")
    .option("--var <name=value>", "a variable of the stacks; can be repeated", repeated)
    .option("--var-file <file>", "a file with variables; can be repeated", repeated)
    .option("--target <address>", "only this resource; can be repeated", repeated)
    .option("--no-refresh", "do not read what exists: compare with the state only")
    .option(
      "--parallelism <number>",
      "simultaneous operations (Terraform's default: 10)",
      positive,
    );
}

export function withChangeOptions(command: Command): Command {
  return withStackOptions(command)
    .option("--auto-approve", "do not ask before something is changed")
    .option(
      "--ignore-missing-stack-dependencies",
      "run stacks without the others that they depend on",
    );
}

/** Separates the names of stacks from the words after `--`. commander returns both as one list. */
export function splitOperands(operands: readonly string[]): {
  readonly stacks: readonly string[];
  readonly rest: readonly string[];
} {
  const at = process.argv.indexOf("--");
  const rest = at === -1 ? [] : process.argv.slice(at + 1);
  return { stacks: operands.slice(0, operands.length - rest.length), rest };
}

const repeated = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

function positive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be a positive integer.");
  return Number(text);
}
