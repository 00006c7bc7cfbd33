import type { Command } from "commander";
import { everyCommand } from "../invocation/run-program";
import { withCompletion } from "./completed-values";
import { readManifest } from "../synthesis/manifest";
import { readProject } from "../synthesis/project";

/**
 * Adds the stacks that a project has synthesized last to the commands that take stacks. Nothing is synthesized:
 * a shell cannot wait for it.
 *
 * @param folder the folder of the project
 */
export async function withStackNames(program: Command, folder = process.cwd()): Promise<Command> {
  const names = await synthesizedStacks(folder).catch(() => []);
  if (names.length === 0) return program;
  for (const { registeredArguments } of everyCommand(program)) {
    for (const argument of registeredArguments) {
      if (argument.name() === "stacks") withCompletion(argument, () => names);
    }
  }
  return program;
}

async function synthesizedStacks(folder: string): Promise<readonly string[]> {
  const stacks = await readManifest(await readProject(folder));
  return stacks.map(({ name }) => name);
}
