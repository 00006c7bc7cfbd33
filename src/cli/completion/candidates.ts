import type { Command, Option } from "commander";
import { explainedCodes, verdictCodes } from "../explain/code-pages";
import { everyCommand } from "../invocation/run-program";
import { readManifest } from "../synthesis/manifest";
import { readProject } from "../synthesis/project";

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
    // The remaining words belong to another program.
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
  // As after `--`, the words after the operand belong to it.
  if (isRepeated && repeated.argChoices === undefined) return [];
  if (last.startsWith("-")) return optionsOf(command, last);
  const argument = isRepeated ? repeated : command.registeredArguments[operands];
  const choices = argument?.name() === "code" ? codes() : argument?.argChoices;
  return operands > 0
    ? valuesOf(choices, last)
    : [...subcommandsOf(command, last), ...valuesOf(choices, last)];
}

/** The codes that `explain` knows. Its help does not list them. */
const codes = (): readonly string[] => [
  ...new Set([...explainedCodes(), ...verdictCodes()].map(({ code }) => code)),
];

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

/** Words that no shell expands or reads as an option: Bash does not quote completions. */
const safeWord = /^[\p{L}\p{N}_.][\p{L}\p{N}_.-]*$/u;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/**
 * Adds the stacks of the last synthesis to the commands that take stacks. Synthesizes nothing, because a shell cannot wait
 * for that.
 *
 * @param folder the folder of the project
 */
export async function withStackNames(program: Command, folder = process.cwd()): Promise<Command> {
  const names = await synthesizedStacks(folder).catch(() => []);
  if (names.length === 0) return program;
  for (const { registeredArguments } of everyCommand(program)) {
    for (const argument of registeredArguments) {
      if (argument.name() === "stacks") argument.choices(names);
    }
  }
  return program;
}

async function synthesizedStacks(folder: string): Promise<readonly string[]> {
  const stacks = await readManifest(await readProject(folder));
  return stacks.map(({ name }) => name);
}

export type Shell = "bash" | "zsh" | "fish";

/**
 * The scripts get the candidates from `trivet`, so they need not contain its commands and options. If it prints none, the
 * shell completes files.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_trivet() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(trivet completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _trivet trivet
`,
  zsh: `#compdef trivet
_trivet() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(trivet completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'trivet' found; else _files; fi
}
compdef _trivet trivet
`,
  fish: `function __trivet_candidates
  set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --cut-at-cursor --current-token)
  set -l found (trivet completion candidates -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path $words[-1]
  end
end
complete --command trivet --no-files --arguments '(__trivet_candidates)'
`,
};

/** Returns the script that makes a shell complete the command `trivet`. */
export const completionScript = (shell: Shell): string => scripts[shell];
