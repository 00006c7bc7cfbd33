import { addressOf, foreignStack } from "../../core/construct";
import type { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { constructPlace } from "../changes/construct-place";
import { type Forecast, forecastOf } from "../changes/forecast";
import { readConfiguration } from "../offline-plan/configuration";
import { planOffline, providerNames } from "../offline-plan/planner";
import { baselineOf } from "./baseline";
import { ownProviders } from "./own-providers";
import { Plan } from "./plan";
import { type SynthesizedStack, synthesize } from "./synthesize";

/** The options of {@link planOf}. */
export interface PlanOptions {
  /**
   * What is deployed: another stack, as if it had been deployed; the path of a state file; or the parsed content of one,
   * such as `terraform state pull` prints it.
   *
   * @default nothing
   */
  readonly from?: TerraformStack | string | object | undefined;
  /** Values of the stack's variables, by name. @default their own defaults */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns what a deployment of a stack would do. Needs no Terraform, no credentials and no network, and writes nothing.
 *
 * Errors that only the plan can find are in the plan: each matcher but `toRefuse` fails with them.
 *
 * @throws Error if the stack cannot be synthesized, or if `from` cannot be used
 */
export async function planOf(
  stack: TerraformStack,
  { from, variables = {} }: PlanOptions = {},
): Promise<Plan> {
  const foreign = foreignStack(stack);
  if (foreign !== undefined) {
    throw new Error(`The stack is not planned. Its constructs ${foreign.message}.`);
  }
  const synthesized = synthesize(stack);
  const configuration = readConfiguration(synthesized.content);
  const baseline = await baselineOf(from, variables);
  const providers = await ownProviders().start(providerNames(configuration));
  const { state } = baseline;
  const found = await planOffline({ configuration, state, providers, variables });
  const place = { path: stack.node.path, positions: {} };
  const constructOf = (address: string) => constructPlace(synthesized.content, place, address);
  return new Plan({
    stackName: stack.node.id,
    comparedWith: baseline.description,
    forecast: withWarnings(forecastOf(found, constructOf), synthesized),
    blocks: [...configuration.resources.keys()],
    instances: found.resourceChanges.map(({ address }) => address),
    constructOf,
    addressesIn,
  });
}

/** The addresses of a construct and of all that is in it. */
const addressesIn = (construct: IConstruct): readonly string[] =>
  construct.node.findAll().flatMap((each) => addressOf(each) ?? []);

function withWarnings(forecast: Forecast, { warnings }: SynthesizedStack): Forecast {
  const remarks = warnings.map(({ construct, message }) => ({
    severity: "warning" as const,
    summary: message,
    detail: "",
    address: addressesIn(construct)[0] ?? construct.node.path,
  }));
  return { ...forecast, diagnostics: [...remarks, ...forecast.diagnostics] };
}
