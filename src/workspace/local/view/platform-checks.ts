import { ownValue } from "../../../json/plain-json";
import type { DependencyGraph } from "../terraform/dependency-graph";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { type PlatformView, seenScriptOrder } from "./platform-view";
import type { PlannedChange, ResourceValues } from "../terraform/resource-values";

interface PlatformFindings {
  /** Problems for which the platform fails the build, although Terraform accepts the plan. */
  readonly refusals: readonly string[];
  /** Problems that the platform silently ignores. */
  readonly warnings: readonly string[];
}

/** Checks whether the platform accepts the name of a workspace or an agent, or the slug of an app. */
export const isPlatformName = (name: string): boolean => /^[a-z0-9](-?[a-z0-9])*$/i.test(name);

/** Runs the platform's own checks on a plan that Terraform accepted. */
export function platformFindings(
  view: PlatformView,
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): PlatformFindings {
  const agentNames = view.agents.map(({ name }) => name);
  const slugs = view.agents.flatMap(({ apps }) => apps.map(({ name }) => name));
  const order = seenScriptOrder(
    resources,
    graph,
    typePrefix,
    view.agents.map(({ address, scripts }) => [address, scripts]),
  );
  const defaults = view.presets.filter(({ isDefault }) => isDefault);
  return {
    refusals: [
      ...agentNames
        .filter((name) => !isPlatformName(name))
        .map(
          (name) =>
            `The platform refuses the agent name "${name}", which is the name of the Terraform resource: ` +
            "it must consist of letters, digits and single hyphens, with no hyphen at the start or end.",
        ),
      ...repeated(agentNames.map((name) => name.toLowerCase())).map(
        (name) => `Several agents are named "${name}" (names are case-insensitive).`,
      ),
      ...slugs
        .filter((slug) => !isPlatformName(slug))
        .map(
          (slug) =>
            `The platform refuses the app slug "${slug}": it must consist of letters, digits and single ` +
            "hyphens, with no hyphen at the start or end.",
        ),
      ...repeated(slugs).map((slug) => `Several apps have the slug "${slug}".`),
      ...repeated(view.parameters.map(({ name }) => name)).map(
        (name) => `Several parameters are named "${name}".`,
      ),
      ...repeated(view.presets.map(({ name }) => name)).map(
        (name) => `Several presets are named "${name}".`,
      ),
      ...(defaults.length > 1
        ? [
            `Several presets are marked as the default: ${quoted(defaults.map(({ name }) => name))}.`,
          ]
        : []),
      ...metadataRefusals(resources, graph, typePrefix),
      ...order.refusals,
    ],
    warnings: [
      ...order.warnings,
      ...view.droppedAgents.map(
        (address) =>
          `No resource depends on ${address}: the platform drops it with its apps, variables and ` +
          "scripts. Use its token or init script in the resource that it runs on.",
      ),
      ...view.unattached.map(
        (address) =>
          `The platform finds no agent for ${address} and drops it. Set its agent_id directly to the ` +
          "agent's id.",
      ),
    ],
  };
}

/**
 * Fails the build if there are refusals.
 *
 * @throws LocalPlatformError with all refusals
 */
export function refuse(
  refusals: readonly string[],
  reason = "Terraform accepts this, but the platform does not.",
): void {
  if (refusals.length === 0) return;
  throw new LocalPlatformError("REFUSED", refusals.join("\n"), `${reason} Nothing was applied.`);
}

/** Checks the parameters and external logins of a request against the plan. */
export function inputFindings(
  view: PlatformView,
  inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** The values in the previous build. */
    readonly previous: Readonly<Record<string, string>>;
    /** Undefined if this build requires no external logins. */
    readonly externalAuth: Readonly<Record<string, string>> | undefined;
  },
): PlatformFindings {
  const { externalAuth } = inputs;
  const missing = view.externalAuth.filter(
    ({ id, optional }) => externalAuth !== undefined && !optional && !ownValue(externalAuth, id),
  );
  return {
    refusals: [
      ...view.parameters
        .filter(({ name, mutable, ephemeral, value }) => {
          const before = ownValue(inputs.previous, name);
          return !mutable && !ephemeral && before !== undefined && before !== (value ?? before);
        })
        .map(
          ({ name }) =>
            `Immutable parameter changed; Parameter "${name}" is not mutable, so it can't be updated ` +
            `after creating a workspace. It has the value "${ownValue(inputs.previous, name) ?? ""}".`,
        ),
      ...missing.map(({ id }) => `The owner must log in to the external provider "${id}" first.`),
    ],
    warnings: unknownNames(Object.keys(inputs.parameters), view).map(
      (name) => `The template has no parameter "${name}": the value is ignored.`,
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
    // Metadata with `count` is a single node in the graph.
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

/**
 * Warns of what a claim replaces although it was built ahead of time: resources of other providers, which makes
 * the prebuild useless, and agents, whose machine then has an outdated token.
 */
export function claimWarnings(
  changes: readonly PlannedChange[],
  typePrefix: string,
): readonly string[] {
  return changes
    .filter(({ action }) => action === "replace")
    .flatMap(({ address, type, replacePaths = [] }) => {
      const because = replacePaths.length === 0 ? "" : ` because of ${replacePaths.join(", ")}`;
      if (type === `${typePrefix}agent`) {
        const cure =
          "Pass what differs by owner to the agent in another way, such as with an env resource.";
        return [
          `The claim replaces ${address}${because}, so its machine has an outdated token. ${cure}`,
        ];
      }
      if (type.startsWith(typePrefix)) return [];
      const cure =
        "Add the attributes that change with the owner to ignore_changes in its lifecycle.";
      return [
        `The claim replaces ${address}${because}, so users wait for it all the same. ${cure}`,
      ];
    });
}
