import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { TerraformStack } from "cdktf";
import { parsedJson } from "../../core/json/plain-json";
import { readConfiguration } from "../offline-plan/configuration";
import { assumedState, providerNames } from "../offline-plan/planner";
import { emptyState, readState, type State, StateError } from "../offline-plan/state";
import { isError } from "../../core/provider-kit/core";
import { ownProviders } from "./own-providers";
import { synthesize } from "./synthesize";

/** What a stack is compared with. */
interface Baseline {
  readonly state: State;
  /** For people, such as `the stack as it was`. */
  readonly description: string;
}

/**
 * Returns what is taken as deployed.
 *
 * @param from a stack, the path of a state file, or the parsed content of one; undefined for nothing
 * @param variables the values with which a stack was deployed
 * @throws Error if it cannot be used
 */
export async function baselineOf(
  from: unknown,
  variables: Readonly<Record<string, unknown>>,
): Promise<Baseline> {
  if (from === undefined) return { state: emptyState, description: "nothing deployed" };
  if (typeof from === "string") {
    const name = basename(from);
    return { state: await stateIn(from), description: `the state in ${name}` };
  }
  if (TerraformStack.isStack(from)) {
    return { state: await deployed(from, variables), description: "the stack as it was" };
  }
  return { state: stateOf(from, "The state in `from`"), description: "a state" };
}

async function deployed(
  stack: TerraformStack,
  variables: Readonly<Record<string, unknown>>,
): Promise<State> {
  const configuration = readConfiguration(synthesize(stack).content);
  const providers = await ownProviders().start(providerNames(configuration));
  const { state, diagnostics } = await assumedState({ configuration, providers, variables });
  const failed = diagnostics.find(isError);
  if (failed === undefined) return state;
  const { address, summary, detail } = failed;
  throw new Error(
    `The stack in \`from\` has errors, so it cannot have been deployed: ${address}: ${summary}. ${detail}`,
  );
}

async function stateIn(file: string): Promise<State> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`There is no state at ${file}, which \`from\` names.`, { cause });
  });
  const json = parsedJson(text);
  if (json === undefined) throw new Error(`${file} is not JSON, so it is no state.`);
  return stateOf(json, file);
}

function stateOf(json: unknown, name: string): State {
  try {
    return readState(json);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new Error(`${name} cannot be used: ${error.message}.`, { cause: error });
  }
}
