import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { assumedState, planOffline, providerNames } from "../../planner/offline-plan/planner";
import { emptyState, readState, type State, isStateError } from "../../planner/offline-plan/state";
import { parsedJson, type Properties } from "../../core/json/plain-json";
import { isError } from "../../core/provider-kit/core";
import { exists } from "../invocation/command-environment";
import { CommandError } from "../invocation/failure";
import {
  configurationOf,
  readStackContent,
  type StackConfiguration,
} from "../synthesis/stack-content";
import type { Diagnostic } from "../../planner/changes/diagnostic";
import { type Forecast, forecastOf } from "../../planner/changes/forecast";
import type { ProviderCatalog } from "../../planner/offline-plan/catalog";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import { type Refusal, refusedChanges } from "../deploy/refusal";
import { type GivenVariables, stackVariables } from "../stack/variables";
import type { Annotation, Stack } from "../synthesis/manifest";
import {
  withAcknowledgement,
  withoutMatched,
  withoutRepeated,
} from "../terraform/terraform-message";

/** The result of `trivet check` for a stack. Contains no secrets. */
export interface CheckedStack extends Forecast {
  readonly name: string;
  /** For people, such as `the state in terraform.app.tfstate`. */
  readonly comparedWith: string;
  /** False if the stack may be deployed, but its state cannot be read here. */
  readonly isCompared: boolean;
  /** The addresses of changes that `--refuse` does not allow. */
  readonly refused: readonly string[];
  readonly annotations: readonly Annotation[];
}

export interface CheckSettings {
  readonly catalog: ProviderCatalog;
  /** The path of a state file, or of a folder of synthesized stacks. */
  readonly against: string | undefined;
  readonly refusals: readonly Refusal[];
  readonly variables: GivenVariables;
}

/** A checked stack, with the constructs of its resources. */
export interface StackCheck extends Pick<StackConfiguration, "constructOf" | "addresses"> {
  readonly checked: CheckedStack;
}

const notCompared: Diagnostic = {
  severity: "error",
  summary: "--refuse has nothing to compare with",
  detail:
    "The state of this stack is not a local file, so what is deployed is not known. Add --against with a state file " +
    "or a folder of synthesized stacks, or use `trivet plan --refuse`.",
};

export async function checkStack(stack: Stack, settings: CheckSettings): Promise<StackCheck> {
  const { catalog, against, refusals } = settings;
  const content = await readStackContent(stack.folder);
  const configuration = readConfiguration(content);
  const { state, description, isKnown } = await baselineOf(stack, content, against, catalog);
  const variables = await stackVariables(settings.variables, stack.folder);
  const providers = await catalog.start(providerNames(configuration));
  const plan = await planOffline({ configuration, state, providers, variables });
  const stackConfiguration = configurationOf(content, stack);
  const { constructOf, addresses } = stackConfiguration;
  const forecast = forecastOf(plan, constructOf);
  const { changes } = forecast;
  const diagnostics = withoutRepeated(
    forecast.diagnostics.map((each) => withAcknowledgement(each, stack, stackConfiguration)),
    stack.annotations,
    stackConfiguration,
  );
  const checked: CheckedStack = {
    name: stack.name,
    comparedWith: description,
    isCompared: isKnown,
    ...forecast,
    refused: (changes === undefined ? [] : refusedChanges(changes, refusals)).map(
      ({ address }) => address,
    ),
    diagnostics: isKnown || refusals.length === 0 ? diagnostics : [notCompared, ...diagnostics],
    annotations: withoutMatched(stack.annotations, diagnostics),
  };
  return { checked, constructOf, addresses };
}

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
 * Returns what counts as deployed: the state file or the folder of synthesized stacks that the user names, else the
 * stack's own local state, else nothing.
 * @throws CommandError if it cannot be used
 */
async function baselineOf(
  stack: Stack,
  content: Properties,
  against: string | undefined,
  catalog: ProviderCatalog,
): Promise<Baseline> {
  if (against === undefined) return await ownState(stack, content);
  const found = await stat(against).catch(() => undefined);
  if (found === undefined) {
    throw new CommandError(
      `The path of --against does not exist: ${against}.`,
      "Name a state file, or a folder of synthesized stacks, such as an older cdktf.out.",
    );
  }
  if (!found.isDirectory())
    return { ...nothing, state: await stateIn(against), description: against };
  if (!(await exists(join(against, "stacks")))) {
    throw new CommandError(
      `The folder of --against contains no synthesized stacks: ${against}.`,
      "Name the output folder of a synthesis, such as an older cdktf.out.",
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
      "Name a folder with stacks that can be deployed.",
    );
  }
  return { ...nothing, state, description: `${against}, as if it had been deployed` };
}

/** Returns the stack's own local state, or nothing if it has none. */
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
  const json = parsedJson(await readFile(file, "utf8"));
  const fix = "Restore a backup of it, or name another file with --against. Nothing was written.";
  if (json === undefined) throw new CommandError(`${file} is not JSON.`, fix);
  try {
    return readState(json);
  } catch (error) {
    if (!isStateError(error)) throw error;
    throw new CommandError(`${file} cannot be used: ${error.message}.`, fix);
  }
}
