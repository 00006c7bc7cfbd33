import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { writeText } from "../../core/redaction/output";
import { CommandError, ExitCode } from "../invocation/failure";

/** The content of a new project. */
export type ProjectKind = "ids" | "template" | "signing" | "all";

/** The platform of a project's template. */
export type ProjectProduct = "trivet" | "coder";

/** Where a project keeps the states of its stacks. */
export type StateBackend = "local" | "s3" | "pg";

/** The library of a project's stacks. */
export type Library = "cdktf" | "cdktn";

export interface Choice<Name extends string> {
  readonly name: Name;
  readonly help: string;
}

/** All answers to a question. The first one is the default. */
export type Choices<Name extends string> = readonly [Choice<Name>, ...Choice<Name>[]];

export const projectKinds: Choices<ProjectKind> = [
  { name: "ids", help: "an endpoint of the intrusion detection service" },
  { name: "template", help: "a template for development workspaces" },
  { name: "signing", help: "an image that is copied, signed, attested and verified" },
  { name: "all", help: "all three" },
];

export const libraries: Choices<Library> = [
  {
    name: "cdktf",
    help: "HashiCorp's own: better known, but archived in December 2025, and no longer maintained",
  },
  { name: "cdktn", help: "its continuation by the community: younger, but maintained" },
];

export const projectProducts: Choices<ProjectProduct> = [
  { name: "trivet", help: "Trivet's own names, such as workspace_agent" },
  { name: "coder", help: "coder's provider, such as coder_agent" },
];

/** A service that runs pipelines. */
export type PipelineService = "github" | "gitlab";

export const pipelineServices: Choices<PipelineService | "none"> = [
  { name: "none", help: "deploy from this machine; `trivet init --ci` adds one later" },
  { name: "github", help: "plan each pull request, and deploy what was merged" },
  { name: "gitlab", help: "the same for merge requests" },
];

export const stateBackends: Choices<StateBackend> = [
  { name: "local", help: "in a file on this machine, which only this machine can deploy" },
  { name: "s3", help: "in a bucket, so that others and pipelines can deploy, too" },
  { name: "pg", help: "the same in PostgreSQL" },
];

/** The streams for questions and answers. */
interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Asks until the answer is the name or the number of a choice. An empty answer selects the first one.
 *
 * @throws CommandError if the input ends, as after Ctrl-C or Ctrl-D
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

/**
 * Derives a package name that npm accepts from the name of a project's folder.
 *
 * @param folder an absolute path
 * @param taken names that the package cannot have, because it depends on packages of these names
 */
export function projectName(folder: string, taken: readonly string[]): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    // npm allows 214 characters.
    .slice(0, 200);
  if (name === "") return "infrastructure";
  return taken.includes(name) || name === "node_modules" ? `${name}-project` : name;
}
