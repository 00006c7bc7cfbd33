import type { Command, Option } from "commander";
import { completedValues } from "./completed-values";

interface Candidate {
  readonly word: string;
  readonly help: string;
}

/**
 * Returns the candidates for the last word of a command line.
 *
 * @param words the words after the name of the program; the last one is incomplete, and may be empty
 * @returns an empty list where a file, a folder or free text is expected
 */
export function candidates(program: Command, words: readonly string[]): readonly Candidate[] {
  const last = words.at(-1) ?? "";
  let command = program;
  let operands = 0;
  for (let at = 0; at < words.length - 1; at++) {
    const word = words[at] ?? "";
    // The rest belongs to another program.
    if (word === "--") return [];
    const option = optionNamed(command, word);
    if (option?.required === true && !word.includes("=")) {
      if (at === words.length - 2) return valuesOf(option.argChoices, last);
      at++;
      continue;
    }
    if (word.startsWith("-")) continue;
    const next = operands === 0 ? subcommandNamed(command, word) : undefined;
    if (next === undefined) operands++;
    else command = next;
  }
  const repeated = command.registeredArguments.at(-1);
  const isRepeated = operands > 0 && repeated?.variadic === true;
  // As with `--`: what follows the operand belongs to it.
  if (isRepeated && completedValues(repeated) === undefined) return [];
  if (last.startsWith("-")) return optionsOf(command, last);
  const choices = completedValues(isRepeated ? repeated : command.registeredArguments[operands]);
  return operands > 0
    ? valuesOf(choices, last)
    : [...subcommandsOf(command, last), ...valuesOf(choices, last)];
}

const subcommandNamed = (command: Command, name: string): Command | undefined =>
  command.commands.find((each) => each.name() === name);

const optionNamed = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => [long, short].includes(word.split("=")[0]));

function subcommandsOf(command: Command, prefix: string): Candidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .filter((each) => each.name().startsWith(prefix))
    .map((each) => ({ word: each.name(), help: oneLine(help.subcommandDescription(each)) }));
}

function optionsOf(command: Command, prefix: string): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) =>
      long?.startsWith(prefix) === true ? [{ word: long, help: oneLine(description) }] : [],
    );
}

const valuesOf = (values: readonly string[] | undefined, prefix: string): Candidate[] =>
  (values ?? [])
    .filter((word) => word.startsWith(prefix) && safeWord.test(word))
    .map((word) => ({ word, help: "" }));

/** What no shell expands, or takes for an option. Bash does not quote what it completes. */
const safeWord = /^[\p{L}\p{N}_.][\p{L}\p{N}_.-]*$/u;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
