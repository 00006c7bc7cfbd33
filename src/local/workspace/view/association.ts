import { stringOf } from "../terraform/json-value";
import type { DependencyGraph } from "../terraform/dependency-graph";
import type { ResourceValues } from "../terraform/resource-values";

/** Which parts the platform finds for which agent, and which metadata for which resource. */
export interface Association {
  /** The agents that belong to a resource, with its label. */
  readonly agents: ReadonlyMap<ResourceValues, string>;
  /** The parts of the agents: apps, variables, scripts and dev containers. */
  readonly parts: ReadonlyMap<ResourceValues, ResourceValues>;
  /** Metadata with the label of the resource that it describes. */
  readonly metadata: ReadonlyMap<ResourceValues, string>;
  /** Why the platform refuses the template. */
  readonly refusals: readonly string[];
}

const names = /^[a-z0-9](-?[a-z0-9])*$/;

/** Checks whether the platform accepts the name of a workspace or an agent. */
export const isPlatformName = (name: string): boolean => names.test(name.toLowerCase());

const partTypes = ["app", "env", "script", "devcontainer"] as const;

/**
 * Associates resources as the platform does: all of them by their label first, which is the address up to the first
 * key of an instance, and then by the graph. It checks all names, also of what it drops afterwards.
 */
export function association(
  resources: readonly ResourceValues[],
  graph: DependencyGraph,
  typePrefix: string,
): Association {
  const ofType = (type: string) => resources.filter((one) => one.type === typePrefix + type);
  // Without the keys of instances. What is in an instance of a module has the label of the module.
  const labelOf = ({ address }: ResourceValues) => address.replace(/\[.*$/s, "");
  const hosts = new Set(
    resources
      .filter(
        ({ mode, type }) =>
          mode === "managed" &&
          (!type.startsWith(typePrefix) || type === `${typePrefix}external_agent`),
      )
      .map(labelOf),
  );
  const isHost = (label: string) => hosts.has(label);
  const refusals: string[] = [];
  const refuse = ({ address }: ResourceValues, problem: string) =>
    refusals.push(`${address}: ${problem}`);

  const agents = new Map<ResourceValues, string>();
  const agentNames = new Set<string>();
  for (const agent of ofType("agent")) {
    const { name } = agent;
    const key = name.toLowerCase();
    const expected = `"(?i)${names.source}"`;
    if (!names.test(key)) {
      const problem = name.includes("_")
        ? `contains underscores which are no longer supported, please use hyphens instead (regex: ${expected})`
        : `does not match regex ${expected}`;
      refuse(agent, `agent name "${name}" ${problem}`);
    }
    if (agentNames.has(key)) refuse(agent, `duplicate agent name: ${name}`);
    agentNames.add(key);
    const label = labelOf(agent);
    if (!graph.has(label)) refuse(agent, `couldn't find node on graph: "${label}"`);
    const host = graph.nearestDependent(label, isHost);
    if (host !== undefined) agents.set(agent, host);
  }

  const slugs = new Set<string>();
  for (const app of ofType("app")) {
    const slug = slugOf(app);
    // Other products accept capitals.
    const checked = typePrefix === "coder_" ? slug : slug.toLowerCase();
    if (!names.test(checked))
      refuse(app, `app slug "${slug}" does not match regex "${names.source}"`);
    if (slugs.has(slug)) {
      refuse(app, `duplicate app slug, they must be unique per template: "${slug}"`);
    }
    slugs.add(slug);
  }

  const parts = new Map<ResourceValues, ResourceValues>();
  for (const part of partTypes.flatMap(ofType)) {
    const agent = [...agents.keys()].find((one) => isPartOf(part, one, graph));
    if (agent !== undefined) parts.set(part, agent);
  }

  const metadata = new Map<ResourceValues, string>();
  const described = new Set<string>();
  for (const one of ofType("metadata")) {
    const target = graph.nearestDependency(labelOf(one), isHost);
    if (target === undefined) continue;
    if (described.has(target)) refuse(one, `duplicate metadata resource: ${target}`);
    described.add(target);
    metadata.set(one, target);
  }
  return { agents, parts, metadata, refusals };
}

/** Parts belong to an agent by its ID, and in a plan, where it is not known, by an edge of the root module. */
function isPartOf(part: ResourceValues, agent: ResourceValues, graph: DependencyGraph): boolean {
  const [own, given] = [stringOf(agent.values["id"]), stringOf(part.values["agent_id"])];
  return own === "" && given === ""
    ? graph.dependsDirectly(`${part.type}.${part.name}`, `${agent.type}.${agent.name}`)
    : own === given;
}

/** The slug of an app: by default the name of its resource. */
export const slugOf = ({ name, values }: ResourceValues): string =>
  stringOf(values["slug"]) || name;
