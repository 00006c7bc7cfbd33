import type { DependencyGraph } from "../terraform/dependency-graph";
import { parsedJson } from "../../../json/plain-json";
import { listOf, objectOf, stringOf, stringsOf } from "../terraform/json-value";
import { labelOf, type ResourceValues } from "../terraform/resource-values";
import { scriptOrder, type ScriptOrder } from "./script-order";

/** The platform's view of a plan or a state, without sensitive values. */
export interface PlatformView {
  /** The agents that belong to a resource. The platform drops all others. */
  readonly agents: readonly SeenAgent[];
  /** Addresses of agents that no resource depends on: the platform drops them. */
  readonly droppedAgents: readonly string[];
  /** Addresses of apps, scripts and other parts for which no agent was found. */
  readonly unattached: readonly string[];
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
  readonly externalAuth: readonly SeenExternalAuth[];
}

export interface SeenAgent {
  readonly address: string;
  readonly name: string;
  /** Empty during the plan. */
  readonly id: string;
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
  /** The resource that it belongs to. */
  readonly resource: string;
  readonly apps: readonly SeenChild[];
  readonly envs: readonly SeenChild[];
  /** In the order in which they run. */
  readonly scripts: readonly SeenScript[];
  readonly devcontainers: readonly SeenChild[];
}

/** A part of an agent: an app, environment variable, script or dev container. */
export interface SeenChild {
  readonly address: string;
  /** An app's slug, a variable's name, a script's display name, a dev container's folder. */
  readonly name: string;
  /** An app's URL or command, or a variable's value. Undefined if missing or sensitive. */
  readonly detail: string | undefined;
}

export interface SeenScript extends SeenChild {
  /** The names of the scripts that must have ended before. */
  readonly after: readonly string[];
}

export interface SeenParameter {
  readonly address: string;
  readonly name: string;
  readonly type: string;
  /** Undefined if it is sensitive. */
  readonly value: string | undefined;
  /** True if an input is optional, because the parameter has a default. */
  readonly optional: boolean;
  readonly mutable: boolean;
  readonly ephemeral: boolean;
  /** True if the form masks the value, or if Terraform considers it sensitive. */
  readonly isMasked: boolean;
}

export interface SeenPreset {
  readonly name: string;
  readonly isDefault: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** Number of workspaces to prebuild. */
  readonly prebuilds: number;
}

/** An external login that the template asks for. */
export interface SeenExternalAuth {
  readonly id: string;
  readonly optional: boolean;
}

/** Reads resources as the platform does, which matches resource types by their exact names. */
export function platformView(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): PlatformView {
  const all = (type: string, mode: ResourceValues["mode"]) =>
    resources.filter((one) => one.mode === mode && one.type === typePrefix + type);
  const agents = all("agent", "managed");
  const belongsTo = ownersOf(resources, graph, typePrefix);
  const unattached: string[] = [];

  const childrenOf = (type: string, name: string, ...details: string[]) => {
    const byAgent = new Map<ResourceValues, SeenChild[]>();
    for (const child of all(type, "managed")) {
      const agent = agents.find((one) => isAttached(child, one, graph));
      if (agent === undefined) unattached.push(child.address);
      else byAgent.set(agent, [...(byAgent.get(agent) ?? []), seenChild(child, name, details)]);
    }
    return (agent: ResourceValues) => byAgent.get(agent) ?? [];
  };
  const apps = childrenOf("app", "slug", "url", "command");
  const envs = childrenOf("env", "name", "value");
  const scripts = childrenOf("script", "display_name");
  const devcontainers = childrenOf("devcontainer", "workspace_folder");

  const ofAgents = agents.map((agent) => [agent.address, scripts(agent)] as const);
  const { graph: order } = seenScriptOrder(resources, graph, typePrefix, ofAgents);
  const nameOf = new Map(
    ofAgents.flatMap(([, all]) => all.map((each) => [each.address, each.name])),
  );
  const inOrder = (all: readonly SeenChild[]): readonly SeenScript[] =>
    order
      .sorted(all, ({ address }) => address)
      .map((script) => ({
        ...script,
        after: order.before(script.address).map((address) => nameOf.get(address) ?? address),
      }));

  return {
    agents: agents.flatMap((agent) => {
      const resource = belongsTo(agent);
      if (resource === undefined) return [];
      const { address, name, values } = agent;
      const text = (key: string) => stringOf(values[key]);
      return [
        {
          address,
          name,
          resource,
          id: text("id"),
          os: text("os"),
          arch: text("arch"),
          auth: text("auth"),
          apps: apps(agent),
          envs: envs(agent),
          scripts: inOrder(scripts(agent)),
          devcontainers: devcontainers(agent),
        },
      ];
    }),
    droppedAgents: agents.filter((one) => belongsTo(one) === undefined).map((one) => one.address),
    unattached,
    parameters: all("parameter", "data").map(seenParameter),
    presets: all("workspace_preset", "data").map(seenPreset),
    externalAuth: all("external_auth", "data").map(({ values }) => ({
      id: stringOf(values["id"]),
      optional: values["optional"] === true,
    })),
  };
}

/** Reads the order of the scripts in a plan or a state with its graph. */
export function seenScriptOrder(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
  ofAgents: readonly (readonly [agent: string, scripts: readonly SeenChild[]])[],
): ScriptOrder {
  const agents = new Map(
    ofAgents.flatMap(([agent, scripts]) => scripts.map(({ address }) => [address, agent] as const)),
  );
  return scriptOrder(
    resources,
    typePrefix,
    (script) => agents.get(script),
    (address) => graph.has(labelOf(address)) || graph.has(`${labelOf(address)} (close)`),
  );
}

/** Finds the nearest dependents of an agent: resources of other providers, or an external agent. */
function ownersOf(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): (agent: ResourceValues) => string | undefined {
  const owners = new Set(
    resources
      .filter(({ mode, type }) => mode === "managed" && canOwn(type, typePrefix))
      .map(({ label }) => label),
  );
  return ({ label }) => graph.nearestDependents(label, (node) => owners.has(node))[0];
}

function canOwn(type: string, typePrefix: string): boolean {
  return !type.startsWith(typePrefix) || type === `${typePrefix}external_agent`;
}

/**
 * Checks whether a part belongs to an agent: by the agent's ID if it is known, otherwise by a direct edge in
 * the graph.
 */
function isAttached(child: ResourceValues, agent: ResourceValues, graph: DependencyGraph): boolean {
  const id = stringOf(child.values["agent_id"]);
  return id === ""
    ? graph.dependsDirectly(child.label, agent.label)
    : id === stringOf(agent.values["id"]);
}

function seenChild(
  { address, values, sensitive }: ResourceValues,
  name: string,
  details: readonly string[],
): SeenChild {
  const given = details.filter((key) => stringOf(values[key]) !== "" && sensitive[key] !== true);
  const detail = given.map((key) => stringOf(values[key]))[0];
  return { address, name: stringOf(values[name]), detail };
}

/** Reads a parameter from a plan, or from what an import has saved. */
export function seenParameter({
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
      values["isMasked"] === true ||
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
