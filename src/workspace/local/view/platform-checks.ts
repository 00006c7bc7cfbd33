import type { DependencyGraph } from "../terraform/dependency-graph";
import { LocalPlatformError } from "../terraform/local-platform-error";
import type { PlatformView } from "./platform-view";
import type { ResourceValues } from "../terraform/resource-values";

export interface PlatformFindings {
  /** For these the platform fails the build, although Terraform is content. */
  readonly refusals: readonly string[];
  /** What the platform silently leaves out. */
  readonly warnings: readonly string[];
}

const NAME = /^[a-z0-9](-?[a-z0-9])*$/i;

/** The checks that the platform makes on a plan, after Terraform has made its own. */
export function platformFindings(
  view: PlatformView,
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): PlatformFindings {
  const agentNames = view.agents.map(({ name }) => name);
  const slugs = view.agents.flatMap(({ apps }) => apps.map(({ name }) => name));
  const defaults = view.presets.filter(({ isDefault }) => isDefault);
  return {
    refusals: [
      ...agentNames
        .filter((name) => !NAME.test(name))
        .map(
          (name) =>
            `The agent "${name}" has a name that the platform refuses: letters, digits and single ` +
            "hyphens inside. It is the name of the Terraform resource.",
        ),
      ...repeated(agentNames.map((name) => name.toLowerCase())).map(
        (name) => `Several agents are called "${name}" (letter case does not count).`,
      ),
      ...slugs
        .filter((slug) => !NAME.test(slug))
        .map(
          (slug) =>
            `The platform refuses the app slug "${slug}": letters, digits and single hyphens inside.`,
        ),
      ...repeated(slugs).map((slug) => `Several apps have the slug "${slug}".`),
      ...repeated(view.parameters.map(({ name }) => name)).map(
        (name) => `Several parameters are called "${name}".`,
      ),
      ...repeated(view.presets.map(({ name }) => name)).map(
        (name) => `Several presets are called "${name}".`,
      ),
      ...(defaults.length > 1
        ? [`Several presets are the default: ${quoted(defaults.map(({ name }) => name))}.`]
        : []),
      ...metadataRefusals(resources, graph, typePrefix),
    ],
    warnings: [
      ...view.droppedAgents.map(
        (address) =>
          `No resource depends on ${address}: the platform drops it, with its apps, variables and ` +
          "scripts. Refer to its token or its script in the resource that it is to run in.",
      ),
      ...view.unattached.map(
        (address) =>
          `${address} belongs to no agent that the platform can find: it is dropped. Take its ` +
          "agent_id from the agent directly.",
      ),
      ...view.presets.flatMap(({ name, parameters }) =>
        unknownNames(Object.keys(parameters), view).map(
          (parameter) =>
            `The preset "${name}" names the parameter "${parameter}", which is unknown.`,
        ),
      ),
    ],
  };
}

/** @throws LocalPlatformError when there is any refusal */
export function refuse(refusals: readonly string[]): void {
  if (refusals.length === 0) return;
  throw new LocalPlatformError(
    "REFUSED",
    refusals.join("\n"),
    "Terraform accepts this, the platform does not. Nothing was applied.",
  );
}

/** What a request says about parameters and external providers that the plan then contradicts. */
export function inputFindings(
  view: PlatformView,
  inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** The values of the build before. */
    readonly previous: Readonly<Record<string, string>>;
    /** Undefined: nobody is asked to log in for this build. */
    readonly externalAuth: Readonly<Record<string, string>> | undefined;
  },
): PlatformFindings {
  const { externalAuth } = inputs;
  const missing = view.externalAuth.filter(
    ({ id, optional }) => externalAuth !== undefined && !optional && !externalAuth[id],
  );
  return {
    refusals: [
      ...view.parameters
        .filter(({ name, mutable, ephemeral, value }) => {
          const before = inputs.previous[name];
          return !mutable && !ephemeral && before !== undefined && before !== (value ?? before);
        })
        .map(
          ({ name }) =>
            `The parameter "${name}" is not mutable and has a value already ` +
            `("${inputs.previous[name] ?? ""}").`,
        ),
      ...missing.map(({ id }) => `The owner has to log in to the external provider "${id}" first.`),
    ],
    warnings: unknownNames(Object.keys(inputs.parameters), view).map(
      (name) => `The template has no parameter "${name}": its value is not used.`,
    ),
  };
}

function metadataRefusals(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): readonly string[] {
  const targets = new Set(
    resources
      .filter(({ mode, type }) => mode === "managed" && !type.startsWith(typePrefix))
      .map(({ label }) => label),
  );
  const described = resources
    .filter(({ type }) => type === `${typePrefix}metadata`)
    // A metadata with count is one in the graph.
    .filter((one, at, all) => all.findIndex(({ label }) => label === one.label) === at)
    .flatMap(({ label }) => graph.nearestDependencies(label, (node) => targets.has(node))[0] ?? []);
  return repeated(described).map((label) => `Several metadata resources describe ${label}.`);
}

function unknownNames(names: readonly string[], { parameters }: PlatformView): readonly string[] {
  return names.filter((name) => !parameters.some((parameter) => parameter.name === name));
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Resources of others that a claim would build anew: the work done ahead would be lost. */
export function claimWarnings(
  changes: readonly { readonly address: string; readonly type: string; readonly action: string }[],
  typePrefix: string,
): readonly string[] {
  return changes
    .filter(({ type, action }) => action === "replace" && !type.startsWith(typePrefix))
    .map(
      ({ address }) =>
        `The claim replaces ${address}, so that building it ahead was in vain. Let its lifecycle ` +
        "ignore what changes with the owner.",
    );
}
