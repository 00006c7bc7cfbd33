import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../../core/json/plain-json";
import { type Declaration, wireName } from "../../core/schema";
import { type Configuration, readConfiguration } from "../../planner/offline-plan/configuration";
import type { LocatedDiagnostic } from "../../planner/offline-plan/plan-json";
import { planOffline } from "../../planner/offline-plan/planner";
import type { ProviderSchemas } from "../../planner/offline-plan/provider";
import { emptyState } from "../../planner/offline-plan/state";
import { ownState } from "../check/check-stack";
import { CommandError, ExitCode, note } from "../invocation/failure";
import { type GivenVariables, stackVariables } from "../stack/variables";
import { chooseStacks } from "../synthesis/choose-stacks";
import type { Stack } from "../synthesis/manifest";
import { readStackContent } from "../synthesis/stack-content";
import type { ConnectedProvider } from "./connected-provider";
import { literalText, plainBody } from "./source-text";

interface ParsedStack {
  readonly stack: Stack;
  readonly content: Properties;
  readonly configuration: Configuration;
}

interface SettingsChoice {
  readonly source: string;
  /** The name of its type, such as `ids`. */
  readonly type: string;
  /** The stack with the settings. @default all stacks, which must have the same settings */
  readonly stack: string | undefined;
  /** The alias of the provider. @default none */
  readonly alias: string | undefined;
  readonly given: GivenVariables;
}

export async function parsedStacks(stacks: readonly Stack[]): Promise<readonly ParsedStack[]> {
  return await Promise.all(
    stacks.map(async (stack) => {
      const content = await readStackContent(stack.folder);
      return { stack, content, configuration: readConfiguration(content) };
    }),
  );
}

/**
 * Configures a provider with the settings of the stacks, or of the environment if no stack requires it.
 *
 * @throws CommandError if the stacks have different settings, or none with the wanted alias
 */
export async function configureAsStacks(
  provider: ConnectedProvider,
  schemas: ProviderSchemas,
  stacks: readonly ParsedStack[],
  choice: SettingsChoice,
): Promise<readonly LocatedDiagnostic[]> {
  const found = chosenSettings(stacks, choice);
  if (found === undefined) {
    const config = plainBody(schemas.provider.block, {});
    const diagnostics = await provider.configure(schemas.provider, config);
    return diagnostics.map((each) => ({ ...each, address: `provider.${choice.type}` }));
  }
  const { configuration, name, folder } = found;
  const plan = await planOffline({
    // Without resources: only the settings are evaluated.
    configuration: {
      ...configuration,
      resources: new Map(),
      outputs: new Map(),
      modules: new Map(),
      imports: [],
      moved: [],
      removed: [],
      faults: [],
    },
    state: emptyState,
    providers: new Map([[name, { provider, schemas }]]),
    variables: await stackVariables(choice.given, folder),
  });
  return plan.diagnostics;
}

interface Settings {
  readonly folder: string;
  readonly configuration: Configuration;
  /** The name of the provider's configuration, such as `ids.second`. */
  readonly name: string;
}

function chosenSettings(
  stacks: readonly ParsedStack[],
  { source, stack, alias }: SettingsChoice,
): Settings | undefined {
  const named =
    stack === undefined
      ? stacks
      : chooseStacks(
          stacks.map((each) => each.stack),
          { patterns: [stack], isReversed: false, isComplete: false },
        ).flatMap((chosen) => stacks.filter((each) => each.stack === chosen));
  const found = named.flatMap(({ stack: { name: of, folder }, configuration }) => {
    const local = [...configuration.sources].find(([, address]) => address === source)?.[0];
    if (local === undefined) return [];
    const name = alias === undefined ? local : `${local}.${alias}`;
    return configuration.providers.has(name) ? [{ of, folder, name, configuration }] : [];
  });
  const [first] = found;
  if (first === undefined && (alias !== undefined || stack !== undefined)) {
    const what = alias === undefined ? source : `${source} with the alias "${alias}"`;
    throw new CommandError(
      `${stack === undefined ? "No stack" : `The stack ${stack}`} configures the provider ${what}.`,
      "Correct --stack or --alias. Without them, the provider uses its environment variables.",
      ExitCode.usage,
    );
  }
  const settingsOf = ({ configuration, name }: Settings) => configuration.providers.get(name);
  const other = found.find(
    (each) => !isDeepStrictEqual(settingsOf(each), first && settingsOf(first)),
  );
  if (other !== undefined) {
    throw new CommandError(
      `The stacks ${first?.of ?? ""} and ${other.of} have different settings of ${source}.`,
      "Name the stack with the settings to use: add --stack.",
      ExitCode.usage,
    );
  }
  return first;
}

const placeholder = /\{\+?(\w+)\}/g;

/**
 * Returns the import ID of a resource: the first form of which the state has all parts, else its `id`.
 *
 * @param state by Terraform's names
 */
export function importIdOf(
  { importId, attributes }: Declaration,
  state: Properties,
): string | undefined {
  const partOf = (name: string): string => {
    const value = state[wireName(name, attributes[name])];
    return typeof value === "string" ? value : "";
  };
  for (const form of importId) {
    const names = [...form.matchAll(placeholder)].map(([, name = ""]) => name);
    if (names.some((name) => partOf(name) === "")) continue;
    return form.replaceAll(placeholder, (_, name: string) => partOf(name));
  }
  const { id } = state;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The import IDs of the resources of a type that stacks import, or have in their local states. */
export async function managedIds(
  declaration: Declaration,
  stacks: readonly ParsedStack[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { stack, content, configuration } of stacks) {
    for (const { to, id } of configuration.imports) {
      const text = to.startsWith(`${declaration.type}.`) ? literalText(id) : undefined;
      if (text !== undefined) ids.add(text);
    }
    const { state, isKnown, description } = await ownState(stack, content);
    if (!isKnown)
      note(`${stack.name} is compared with ${description}: its resources are listed, too`);
    for (const { type, mode, attributes } of state.instances) {
      const id = importIdOf(declaration, attributes);
      if (type === declaration.type && mode === "managed" && id !== undefined) ids.add(id);
    }
  }
  return ids;
}
