import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import type { Choice, Choices } from "./project-kind";
import { writeText } from "../../core/redaction/output";

/** The streams for questions and answers. */
interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Asks for one of several choices, until the answer is the name or the number of one. An empty answer means
 * the first choice.
 *
 * @throws CommandError when the input ends, as after Ctrl-C or Ctrl-D
 */
export async function ask<Name extends string>(
  question: string,
  choices: Choices<Name>,
  { input, output }: Terminal,
): Promise<Name> {
  const width = Math.max(...choices.map(({ name }) => name.length));
  const lines = choices.map(({ name, help }, at) => `  ${at + 1}  ${name.padEnd(width)}  ${help}`);
  writeText(output, `${[question, ...lines].join("\n")}\n`);
  const reader = createInterface({ input, output });
  const ended = new AbortController();
  reader.once("close", () => {
    ended.abort();
  });
  try {
    for (;;) {
      const answer = await reader.question(`[${choices[0].name}] `, { signal: ended.signal });
      const choice = chosen(answer.trim(), choices);
      if (choice !== undefined) return choice.name;
      writeText(output, `Answer with a number from 1 to ${choices.length}, or a name.\n`);
    }
  } catch (failure) {
    if (!ended.signal.aborted) throw failure;
    writeText(output, "\n");
    throw new CommandError("There was no answer.", "Nothing was written.", ExitCode.interrupted);
  } finally {
    reader.close();
  }
}

function chosen<Name extends string>(
  answer: string,
  choices: Choices<Name>,
): Choice<Name> | undefined {
  if (answer === "") return choices[0];
  return choices.find(({ name }, at) => answer === name || answer === String(at + 1));
}
