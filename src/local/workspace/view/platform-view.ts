import { parsedJson } from "../../../core/json/plain-json";
import { formatPath } from "../../../core/schema";
import { envClashes } from "../../../core/workspace/env/env-clashes";
import { ScriptGraph } from "../../../core/workspace/script-order/script-graph";
import {
  isStoredResource,
  longestName,
  longLabel,
  storedProblems,
} from "../../../core/workspace/product/coder-limits";
import { isOlder, withVersion } from "../../../core/workspace/product/platform-versions";
import type { DependencyGraph } from "../terraform/dependency-graph";
import { listOf, objectOf, stringOf, stringsOf } from "../terraform/json-value";
import { labelOf, type ResourceValues } from "../terraform/resource-values";
import { agentParts, byOrder, seenAgent } from "./agent-parts";
import { association, slugOf } from "./association";
import { HiddenValues, type KeptSecret, ViewedValues } from "./viewed-values";
import { scriptOrder } from "./script-order";
import type { PlatformView, SeenParameter, SeenPreset, SeenResource } from "./seen";

/** The platform's reading of a plan or a state. */
export interface PlatformReading {
  readonly view: PlatformView;
  /** The secrets that the view refers to. */
  readonly secrets: readonly KeptSecret[];
  /** Problems for which the platform fails the build, although Terraform accepts the plan. */
  readonly refusals: readonly string[];
  /** Problems that the platform silently ignores. */
  readonly warnings: readonly string[];
}

/** The view without any resource. */
export const emptyView: PlatformView = {
  agents: [],
  droppedAgents: [],
  unattached: [],
  resources: [],
  dailyCost: 0,
  parameters: [],
  presets: [],
  externalAuth: [],
};

/** Reads resources as the platform does, which matches resource types by their exact names. */
export function platformReading(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
  version?: string,
  names?: { readonly workspace: string; readonly owner: string },
): PlatformReading {
  const all = (type: string, mode: ResourceValues["mode"]) =>
    resources.filter((one) => one.mode === mode && one.type === typePrefix + type);
  const parameters = all("parameter", "data").map(seenParameter);
  const presets = all("workspace_preset", "data").map(seenPreset);
  const masked = parameters.flatMap(({ isMasked, value }) => (isMasked ? (value ?? "") : []));
  const values = new ViewedValues(new HiddenValues(masked));
  const found = association(resources, graph, typePrefix);
  const order = scriptOrder(
    resources,
    typePrefix,
    (script) => [...found.parts].find(([{ address }]) => address === script)?.[1].address,
    (address) => graph.has(labelOf(address)) || graph.hasModule(address),
  );
  const isOrdered = !isOlder(version, "scriptOrder");
  const shownOrder = isOrdered ? order.graph : new ScriptGraph();
  const hasInner = !isOlder(version, "innerParts");
  const parts = agentParts(resources, found, typePrefix, shownOrder, hasInner, values);
  const dropped = all("agent", "managed").filter((agent) => !found.agents.has(agent));
  return {
    view: {
      agents: byOrder([...found.agents.keys()], "order", ({ name }) => name).map((agent) =>
        seenAgent(agent, found.agents.get(agent) ?? "", parts.of(agent), values),
      ),
      droppedAgents: dropped.map(({ address }) => address),
      unattached: parts.unattached.map(({ address }) => address),
      ...seenResources(resources, found.metadata, typePrefix, values),
      parameters,
      presets,
      externalAuth: all("external_auth", "data").map((one) => ({
        id: stringOf(one.values["id"]),
        optional: one.values["optional"] === true,
      })),
    },
    secrets: values.secrets,
    refusals: [
      ...found.refusals,
      ...inputRefusals({ parameters, presets }, typePrefix),
      ...(typePrefix === "coder_" ? storedRefusals(resources) : []),
      ...(isOrdered ? order.refusals : []),
    ],
    warnings: [
      ...(isOrdered ? order.warnings : []),
      ...(isOrdered ? [] : all("script_order", "data")).map(({ address }) =>
        withVersion(`${address} has no effect`, "scriptOrder"),
      ),
      ...dropped.map(
        ({ address }) =>
          `No resource depends on ${address}: the platform drops it with its apps, variables and ` +
          "scripts. Use its token or init script in the resource that it runs on.",
      ),
      ...parts.unattached
        .filter(({ values: { agent_id: id } }) => stringOf(id) !== "")
        .filter((part) => !dropped.some(({ values: { id } }) => id === part.values["agent_id"]))
        .map(
          ({ address }) =>
            `The platform finds no agent for ${address} and drops it. Set its agent_id to the ID of an agent.`,
        ),
      ...lostVariables(all("env", "managed"), found.parts),
      ...all("app", "managed")
        .filter(({ values: { subdomain } }) => subdomain === true)
        .flatMap((app) => {
          const label = longLabel(slugOf(app), names?.workspace, names?.owner);
          return label === undefined
            ? []
            : [
                `${app.address} has no address: "${label}" is too long for a host name. Shorten its slug.`,
              ];
        }),
    ],
  };
}

function lostVariables(
  variables: readonly ResourceValues[],
  agentOf: ReadonlyMap<ResourceValues, ResourceValues>,
): readonly string[] {
  const agents = new Set(variables.flatMap((one) => agentOf.get(one) ?? []));
  return [...agents].flatMap((agent) => {
    const own = objectOf(agent.values["env"]);
    const set = variables
      .filter((one) => agentOf.get(one) === agent)
      .map(({ address, values }) => ({
        address,
        name: stringOf(values["name"]),
        strategy: stringOf(values["merge_strategy"]) || "replace",
      }));
    return [
      ...set
        .filter(({ name }) => Object.hasOwn(own, name))
        .map(
          ({ address, name }) =>
            `${address} cannot overwrite ${name}, which is in the env of ${agent.address}, too. Remove one of the two.`,
        ),
      ...envClashes(set).map(({ variable: { address, name }, other, isRefused }) =>
        isRefused
          ? `${address} allows no other value of ${name}, but ${other.address} sets it, too.`
          : `${address} is lost: ${other.address} sets ${name}, too, and is processed later.`,
      ),
    ];
  });
}

/** Returns refusals, in the platform's words. */
function inputRefusals(
  { parameters, presets }: Pick<PlatformView, "parameters" | "presets">,
  typePrefix: string,
): readonly string[] {
  const unique = (type: string, named: readonly { readonly name: string }[]) =>
    repeated(named.map(({ name }) => name)).map(
      (name) => `${typePrefix}${type} names must be unique but "${name}" appears multiple times`,
    );
  const defaults = presets.filter(({ isDefault }) => isDefault).map(({ name }) => `"${name}"`);
  return [
    ...unique("parameter", parameters),
    ...unique("workspace_preset", presets),
    ...(defaults.length < 2
      ? []
      : [
          `a maximum of 1 ${typePrefix}workspace_preset can be marked as default, but ${defaults.length} are set: ${defaults.join(", ")}`,
        ]),
  ];
}

/** Returns the objections of coder's database, which come after Terraform has run. */
const storedRefusals = (resources: readonly ResourceValues[]): readonly string[] =>
  resources.flatMap(({ address, mode, type, name, values }) => {
    const hasName =
      mode === "managed" && (type === "coder_agent" || isStoredResource(type, "coder_"));
    const problems = type.startsWith("coder_")
      ? storedProblems(type.slice("coder_".length), values)
      : [];
    return [
      ...(hasName && name.length > longestName
        ? [
            `${address}: the name must be at most ${longestName} characters long (got ${name.length})`,
          ]
        : []),
      ...problems.map(({ path, message }) => `${address}: ${formatPath(path)} ${message}`),
    ].map((line) => withVersion(line, "stored"));
  });

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
];

/** Joins resources with their metadata, which all instances of a resource share. */
function seenResources(
  resources: readonly ResourceValues[],
  metadata: ReadonlyMap<ResourceValues, string>,
  typePrefix: string,
  shown: ViewedValues,
): Pick<PlatformView, "resources" | "dailyCost"> {
  const costOf = (one: ResourceValues | undefined) => Number(one?.values["daily_cost"] ?? 0);
  const others = resources.filter(
    ({ mode, type }) => mode === "managed" && !type.startsWith(typePrefix),
  );
  return {
    resources: others.map(({ address, label, type }): SeenResource => {
      const [described] = [...metadata].find(([, target]) => target === label) ?? [];
      return {
        address,
        type,
        icon: stringOf(described?.values["icon"]),
        isHidden: described?.values["hide"] === true,
        dailyCost: costOf(described),
        items:
          described === undefined
            ? []
            : listOf(described.values["item"]).map((item, at) => ({
                name: stringOf(objectOf(item)["key"]),
                value: shown.value(
                  described,
                  ["item", at, "value"],
                  objectOf(item)["sensitive"] === true,
                ),
              })),
      };
    }),
    dailyCost: resources
      .filter(({ type }) => type === `${typePrefix}metadata`)
      .reduce((sum, one) => sum + costOf(one), 0),
  };
}

function seenParameter({
  address,
  values,
  sensitive,
}: Pick<ResourceValues, "address" | "values" | "sensitive">): SeenParameter {
  return {
    address,
    name: stringOf(values["name"]),
    type: stringOf(values["type"]),
    value: sensitive["value"] === true ? undefined : stringOf(values["value"]),
    optional: values["optional"] === true,
    mutable: values["mutable"] === true,
    ephemeral: values["ephemeral"] === true,
    isMasked:
      sensitive["value"] === true ||
      objectOf(parsedJson(stringOf(values["styling"])))["mask_input"] === true,
  };
}

function seenPreset({ values }: ResourceValues): SeenPreset {
  const instances = objectOf(listOf(values["prebuilds"])[0])["instances"];
  return {
    name: stringOf(values["name"]),
    isDefault: values["default"] === true,
    parameters: stringsOf(values["parameters"]),
    prebuilds: typeof instances === "number" ? instances : 0,
  };
}
