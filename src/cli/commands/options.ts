import { type Command, InvalidArgumentError } from "commander";

export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
    const number = Number(text);
    if (number > max) throw new InvalidArgumentError(`It must be at most ${max}.`);
    return number;
  };

export const lastPort = 65_535;

/** Collects the values of an option that can be repeated. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export type Pairs = Readonly<Record<string, string>>;

/** Parses `name=value`, and adds it to earlier values of the same option. */
export function pair(argument: string, before: Pairs = {}): Pairs {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(argument) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("It must be name=value.");
  }
  return { ...before, [name]: value };
}

/** Adds the options that all commands for new projects have: `ProjectOptions`. */
export const withProjectOptions = (command: Command): Command =>
  command
    .option(
      "--package <version|file>",
      "the trivet that the project installs (default: from where this one was installed)",
    )
    .option("--json", "print what was written as JSON");
