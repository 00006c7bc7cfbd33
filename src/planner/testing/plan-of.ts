import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { AnnotationMetadataEntryType, Aspects, type IAspect, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { addressOf, foreignStack } from "../../core/construct";
import { parsedJson, parseTrustedJson, propertiesOf } from "../../core/json/plain-json";
import { packageRoot } from "../../core/process/package-root";
import { isError } from "../../core/provider-kit/core";
import { constructPlace } from "../changes/construct-place";
import { type Forecast, forecastOf } from "../changes/forecast";
import { builtProviders, type ProviderCatalog } from "../offline-plan/catalog";
import { readConfiguration } from "../offline-plan/configuration";
import { assumedState, planOffline, providerNames } from "../offline-plan/planner";
import { emptyState, isStateError, readState, type State } from "../offline-plan/state";
import { Plan } from "./plan";

/** The options of {@link planOf}. */
export interface PlanOptions {
  /**
   * What is deployed: another stack, as if it had been deployed; the path of a state file; or the parsed content of a
   * state file, such as the output of `terraform state pull`.
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
 * Errors that only the plan finds are part of it: each matcher except `toRefuse` fails with them.
 *
 * @throws Error if the stack cannot be synthesized, or if `from` cannot be used
 */
export async function planOf(
  stack: TerraformStack,
  { from, variables = {} }: PlanOptions = {},
): Promise<Plan> {
  const foreign = foreignStack(stack);
  if (foreign !== undefined) {
    throw new Error(`The stack cannot be planned. Its constructs ${foreign.message}.`);
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
    forecast: withWarnings(forecastOf(found, constructOf), synthesized.warnings),
    blocks: [...configuration.resources.keys()],
    instances: found.resourceChanges.map(({ address }) => address),
    constructOf,
    addressesIn,
  });
}

/** The addresses of a construct and of all that is in it. */
const addressesIn = (construct: IConstruct): readonly string[] =>
  construct.node.findAll().flatMap((each) => addressOf(each) ?? []);

function withWarnings(forecast: Forecast, warnings: ReturnType<typeof remarksOf>): Forecast {
  const remarks = warnings.map(({ construct, message }) => ({
    severity: "warning" as const,
    summary: message,
    detail: "",
    address: addressesIn(construct)[0] ?? construct.node.path,
  }));
  return { ...forecast, diagnostics: [...remarks, ...forecast.diagnostics] };
}

/**
 * Returns the state that counts as deployed, and its description for people.
 *
 * @param variables the values with which a stack was deployed
 * @throws Error if it cannot be used
 */
async function baselineOf(
  from: PlanOptions["from"],
  variables: Readonly<Record<string, unknown>>,
): Promise<{ readonly state: State; readonly description: string }> {
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
    throw new Error(`The state file in \`from\` cannot be read: ${file}.`, { cause });
  });
  const json = parsedJson(text);
  if (json === undefined) throw new Error(`${file} is not a state file, because it is not JSON.`);
  return stateOf(json, file);
}

function stateOf(json: unknown, name: string): State {
  try {
    return readState(json);
  } catch (error) {
    if (!isStateError(error)) throw error;
    throw new Error(`${name} cannot be used: ${error.message}.`, { cause: error });
  }
}

/**
 * Synthesizes a stack in memory like `app.synth()`, with aspects, validations and references between stacks.
 *
 * @returns Terraform's JSON with cdktf's comments, and the warnings that constructs add with `Annotations`
 * @throws Error if a validation fails, or if a construct has an error
 */
export function synthesize(stack: TerraformStack) {
  // References to other stacks add elements to both.
  for (const each of stack.node.root.node.findAll()) {
    if (TerraformStack.isStack(each)) each.prepareStack();
  }
  visit(stack, []);
  stack.runAllValidations();
  const errors = remarksOf(stack, AnnotationMetadataEntryType.ERROR);
  if (errors.length > 0) {
    const texts = errors.map(({ construct, message }) => `[${construct.node.path}] ${message}`);
    throw new Error(`The stack has errors:\n  ${texts.join("\n  ")}`);
  }
  return {
    content: propertiesOf(parseTrustedJson(JSON.stringify(stack.toTerraform()))),
    warnings: remarksOf(stack, AnnotationMetadataEntryType.WARN),
  };
}

/** Visits each construct once with each aspect of its scopes. */
function visit(construct: IConstruct, inherited: readonly IAspect[]): void {
  const aspects = new Set([...inherited, ...Aspects.of(construct).all]);
  for (const aspect of aspects) aspect.visit(construct);
  for (const child of construct.node.children) visit(child, [...aspects]);
}

const remarksOf = (stack: TerraformStack, level: string) =>
  stack.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type === level)
        .map(({ data }) => ({ construct, message: String(data) })),
    );

let catalog: ProviderCatalog | undefined;

/** @throws Error if the providers of this package are not built */
function ownProviders(): ProviderCatalog {
  catalog ??= builtProviders(providersIn(join(packageRoot(), "dist", "providers")));
  return catalog;
}

function providersIn(folder: string): Parameters<typeof builtProviders>[0] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: join(folder, name) }));
  } catch (cause) {
    throw new Error(
      `The providers are not built: ${folder} cannot be read. Run \`npm run build\` in the checkout, or reinstall the package.`,
      { cause },
    );
  }
}
