import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ProviderCatalog } from "../../planner/offline-plan/catalog";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import { assumedState, providerNames } from "../../planner/offline-plan/planner";
import { emptyState, readState, type State, isStateError } from "../../planner/offline-plan/state";
import { parsedJson, type Properties } from "../../core/json/plain-json";
import { isError } from "../../core/provider-kit/core";
import { exists } from "../invocation/command-environment";
import { CommandError } from "../invocation/failure";
import type { Stack } from "../synthesis/manifest";
import { configurationOf, readStackContent } from "../synthesis/stack-content";

/** What a stack is compared with. */
interface Baseline {
  readonly state: State;
  /** For people, such as `the state in terraform.app.tfstate`. */
  readonly description: string;
  /** False if the stack may be deployed, but its state cannot be read here. */
  readonly isKnown: boolean;
}

const nothing: Baseline = {
  state: emptyState,
  description: "nothing deployed",
  isKnown: true,
};

/**
 * Returns what is taken as deployed: the state or the folder of another synthesis that the user names, else the
 * stack's own local state, else nothing.
 *
 * @param against the path of a state file, or of a folder of synthesized stacks
 * @throws CommandError if it cannot be used
 */
export async function baselineOf(
  stack: Stack,
  content: Properties,
  against: string | undefined,
  catalog: ProviderCatalog,
): Promise<Baseline> {
  if (against === undefined) return await ownState(stack, content);
  const found = await stat(against).catch(() => undefined);
  if (found === undefined) {
    throw new CommandError(
      `There is nothing at ${against}, with which --against compares.`,
      "Name a state file, or the folder of stacks that were synthesized before, such as an older cdktf.out.",
    );
  }
  if (!found.isDirectory())
    return { ...nothing, state: await stateIn(against), description: against };
  if (!(await exists(join(against, "stacks")))) {
    throw new CommandError(
      `There are no synthesized stacks in ${against}, with which --against compares.`,
      "Name the folder that the library has written, such as an older cdktf.out.",
    );
  }
  const folder = join(against, "stacks", basename(stack.folder));
  if (!(await exists(folder))) {
    return { ...nothing, description: `nothing: ${folder} does not exist` };
  }
  const configuration = readConfiguration(await readStackContent(folder));
  const providers = await catalog.start(providerNames(configuration));
  const { state, diagnostics } = await assumedState({ configuration, providers });
  const failed = diagnostics.find(isError);
  if (failed !== undefined) {
    throw new CommandError(
      `The stack in ${folder} has errors, so nothing can be compared with it: ${failed.address}: ${failed.detail}`,
      "Name a folder of stacks that can be deployed.",
    );
  }
  return { ...nothing, state, description: `${against}, as if it had been deployed` };
}

/** Returns the stack's own local state, if it has one. */
export async function ownState(stack: Stack, content: Properties): Promise<Baseline> {
  const { stateFile: file, sharedBackend = "" } = configurationOf(content, stack);
  if (file === undefined) {
    const description = `nothing: the state is in ${sharedBackend}, which is not read`;
    return { ...nothing, description, isKnown: false };
  }
  return (await exists(file))
    ? { ...nothing, state: await stateIn(file), description: `the state in ${file}` }
    : nothing;
}

async function stateIn(file: string): Promise<State> {
  const text = await readFile(file, "utf8");
  try {
    return readState(jsonIn(file, text));
  } catch (error) {
    if (!isStateError(error)) throw error;
    throw new CommandError(
      `${file} cannot be used: ${error.message}.`,
      "Restore a backup of it, or name another file with --against. Nothing was written.",
    );
  }
}

function jsonIn(file: string, text: string): unknown {
  const json = parsedJson(text);
  if (json !== undefined) return json;
  throw new CommandError(`${file} is not JSON.`, "Restore a backup of it, or name another file.");
}
