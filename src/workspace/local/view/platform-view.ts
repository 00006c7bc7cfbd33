import type { DependencyGraph } from "../terraform/dependency-graph";
import { listOf, objectOf, textOf } from "../terraform/json-value";
import type { ResourceValues } from "../terraform/resource-values";

/** What the platform makes of a plan or a state. No secrets: sensitive values are left out. */
export interface PlatformView {
  /** The agents that belong to a resource; the others are dropped. */
  readonly agents: readonly SeenAgent[];
  /** Addresses of agents on which no resource depends: the platform does not see them. */
  readonly droppedAgents: readonly string[];
  /** Addresses of apps, scripts and the like of which no agent could be found. */
  readonly unattached: readonly string[];
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
  readonly externalAuth: readonly SeenExternalAuth[];
}

export interface SeenAgent {
  readonly address: string;
  readonly name: string;
  /** Empty while planning. */
  readonly id: string;
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
  /** The resource that it belongs to. */
  readonly resource: string;
  readonly apps: readonly SeenChild[];
  readonly envs: readonly SeenChild[];
  readonly scripts: readonly SeenChild[];
  readonly devcontainers: readonly SeenChild[];
}

export interface SeenChild {
  readonly address: string;
  /** An app's slug, a variable's name, a script's display name, a dev container's folder. */
  readonly name: string;
  /** An app's url or command, a variable's value. Undefined when there is none or it is sensitive. */
  readonly detail: string | undefined;
}

export interface SeenParameter {
  readonly address: string;
  readonly name: string;
  readonly type: string;
  /** Undefined when it is sensitive. */
  readonly value: string | undefined;
  /** Whether it may be left out, because there is a default. */
  readonly optional: boolean;
  readonly mutable: boolean;
  readonly ephemeral: boolean;
}

export interface SeenPreset {
  readonly name: string;
  readonly isDefault: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** How many workspaces are to be built ahead. */
  readonly prebuilds: number;
}

export interface SeenExternalAuth {
  readonly id: string;
  readonly optional: boolean;
}

/** Looks at resources as the platform does, which selects by the literal type names. */
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

  return {
    agents: agents.flatMap((agent) => {
      const resource = belongsTo(agent);
      if (resource === undefined) return [];
      const { address, name, values } = agent;
      const [id, os, arch, auth] = ["id", "os", "arch", "auth"].map((key) => textOf(values[key]));
      return [
        {
          ...{ address, name, resource, id: id ?? "", os: os ?? "", arch: arch ?? "" },
          auth: auth ?? "",
          apps: apps(agent),
          envs: envs(agent),
          scripts: scripts(agent),
          devcontainers: devcontainers(agent),
        },
      ];
    }),
    droppedAgents: agents.filter((one) => belongsTo(one) === undefined).map((one) => one.address),
    unattached,
    parameters: all("parameter", "data").map(seenParameter),
    presets: all("workspace_preset", "data").map(seenPreset),
    externalAuth: all("external_auth", "data").map(({ values }) => ({
      id: textOf(values["id"]),
      optional: values["optional"] === true,
    })),
  };
}

/** The nearest resource of another provider that depends on the agent, or one for external agents. */
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

/** By the agent's id once it is known; before that only a direct edge tells. */
function isAttached(child: ResourceValues, agent: ResourceValues, graph: DependencyGraph): boolean {
  const id = textOf(child.values["agent_id"]);
  return id === ""
    ? graph.dependsDirectly(child.label, agent.label)
    : id === textOf(agent.values["id"]);
}

function seenChild(
  { address, values, sensitive }: ResourceValues,
  name: string,
  details: readonly string[],
): SeenChild {
  const given = details.filter((key) => textOf(values[key]) !== "" && sensitive[key] !== true);
  const detail = given.map((key) => textOf(values[key]))[0];
  return { address, name: textOf(values[name]), detail };
}

function seenParameter({ address, values, sensitive }: ResourceValues): SeenParameter {
  return {
    address,
    name: textOf(values["name"]),
    type: textOf(values["type"]),
    value: sensitive["value"] === true ? undefined : textOf(values["value"]),
    optional: values["optional"] === true,
    mutable: values["mutable"] === true,
    ephemeral: values["ephemeral"] === true,
  };
}

function seenPreset({ values }: ResourceValues): SeenPreset {
  const parameters = Object.entries(objectOf(values["parameters"]));
  const instances = objectOf(listOf(values["prebuilds"])[0])["instances"];
  return {
    name: textOf(values["name"]),
    isDefault: values["default"] === true,
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name, textOf(value)])),
    prebuilds: typeof instances === "number" ? instances : 0,
  };
}
