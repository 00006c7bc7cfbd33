import type { Diagnostic } from "../../planner/changes/diagnostic";
import { type Forecast, forecastOf } from "../../planner/changes/forecast";
import type { ProviderCatalog } from "../../planner/offline-plan/catalog";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import { planOffline, providerNames } from "../../planner/offline-plan/planner";
import { type Refusal, refusedChanges } from "../deploy/refusal";
import { type GivenVariables, stackVariables } from "../stack/variables";
import type { Annotation, Stack } from "../synthesis/manifest";
import {
  configurationOf,
  type StackConfiguration,
  readStackContent,
} from "../synthesis/stack-content";
import {
  withAcknowledgement,
  withoutMatched,
  withoutRepeated,
} from "../terraform/terraform-message";
import { baselineOf } from "./baseline";

/** The result of `trivet check` for a stack. Contains no secrets. */
export interface CheckedStack extends Forecast {
  readonly name: string;
  /** What the stack was compared with. */
  readonly comparedWith: string;
  /** False if the stack may be deployed, but its state cannot be read here. */
  readonly isCompared: boolean;
  /** The addresses of changes that `--refuse` does not allow. */
  readonly refused: readonly string[];
  readonly annotations: readonly Annotation[];
}

/** The settings of a check. */
export interface CheckSettings {
  readonly catalog: ProviderCatalog;
  /** The path of a state file, or of a folder of synthesized stacks. */
  readonly against: string | undefined;
  readonly refusals: readonly Refusal[];
  readonly variables: GivenVariables;
}

/** A checked stack, with what leads from its resources to their constructs. */
export interface StackCheck extends Pick<StackConfiguration, "constructOf" | "addresses"> {
  readonly checked: CheckedStack;
}

const notCompared: Diagnostic = {
  severity: "error",
  summary: "--refuse has nothing to compare with",
  detail:
    "The state of this stack is not a file on this machine, so what is deployed is not known. Add " +
    "--against with a state file or a folder of synthesized stacks, or use `trivet plan --refuse`.",
};

/** Checks a synthesized stack, and plans it. */
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
