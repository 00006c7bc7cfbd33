import { type Reference, referencesIn, type Expression } from "../expression/syntax";
import { EvaluationError } from "../expression/value";
import { expressionOf, expressionsIn } from "./body";
import type { Traversal } from "./address";
import type { Configuration, ResourceBlock } from "./configuration";

/** A part of a configuration that is evaluated as a whole. */
export interface GraphNode {
  /** Such as `var.region`, `local.names`, `provider.ids`, `data.workspace_me.me` or `ids_endpoint.edge`. */
  readonly id: string;
  readonly dependencies: readonly string[];
  /** Why its expressions cannot be read. It then has no dependencies. */
  readonly fault?: Error;
}

/** The node to which a reference leads; undefined for what belongs to the block itself, such as `each`. */
export function nodeOf({ root, steps }: Pick<Reference, "root" | "steps">): string | undefined {
  const [first, second] = steps;
  switch (root) {
    case "each":
    case "count":
    case "self":
    case "path":
    case "terraform":
    case "ephemeral":
      return undefined;
    case "var":
    case "local":
    case "module":
      return first === undefined ? undefined : `${root}.${first}`;
    case "data":
      return second === undefined ? undefined : `data.${String(first)}.${second}`;
    default:
      return first === undefined ? undefined : `${root}.${first}`;
  }
}

/**
 * Returns the nodes of a configuration, each after its dependencies.
 *
 * @throws EvaluationError when they form a circle
 */
export function orderedNodes(configuration: Configuration): readonly GraphNode[] {
  const { ordered, circle } = inOrder(allNodes(configuration));
  if (circle === undefined) return ordered;
  throw new EvaluationError(`These refer to each other in a circle: ${circle.join(" → ")}.`);
}

/** Sorts nodes so that each comes after its dependencies, or returns a circle: its nodes, and the first again. */
export function inOrder(all: readonly GraphNode[]): {
  readonly ordered: readonly GraphNode[];
  readonly circle: readonly string[] | undefined;
} {
  const nodes = new Map(all.map((node) => [node.id, node] as const));
  const ordered: GraphNode[] = [];
  const done = new Set<string>();
  const open: string[] = [];
  let circle: readonly string[] | undefined;
  const visit = (node: GraphNode): void => {
    if (done.has(node.id) || circle !== undefined) return;
    const at = open.indexOf(node.id);
    if (at !== -1) {
      circle = [...open.slice(at), node.id];
      return;
    }
    open.push(node.id);
    for (const id of node.dependencies) {
      const dependency = nodes.get(id);
      if (dependency !== undefined) visit(dependency);
    }
    open.pop();
    done.add(node.id);
    ordered.push(node);
  };
  for (const node of nodes.values()) visit(node);
  return { ordered, circle };
}

function allNodes(configuration: Configuration): readonly GraphNode[] {
  const { variables, locals, modules, providers, resources } = configuration;
  const named = (kind: string, names: Iterable<string>): readonly GraphNode[] =>
    [...names].map((name) => ({ id: `${kind}.${name}`, dependencies: [] }));
  return [
    ...named("var", variables.keys()),
    ...[...locals].map(([name, value]) =>
      nodeWith(`local.${name}`, () => dependenciesOf([expressionOf(value)])),
    ),
    ...[...providers].map(([name, settings]) =>
      nodeWith(`provider.${name}`, () => dependenciesOf(expressionsIn(settings))),
    ),
    ...[...modules].map(([id, { count, forEach }]) =>
      nodeWith(id, () => dependenciesOf([...expressionsIn(count), ...expressionsIn(forEach)])),
    ),
    ...[...resources].map(([id, block]) => nodeWith(id, () => resourceDependencies(id, block))),
  ];
}

function nodeWith(id: string, dependencies: () => readonly string[]): GraphNode {
  try {
    return { id, dependencies: dependencies() };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    return { id, dependencies: [], fault };
  }
}

function resourceDependencies(id: string, block: ResourceBlock): readonly string[] {
  const { body, count, forEach, dependsOn, lifecycle, provider } = block;
  // Terraform ignores that a resource depends on itself.
  const written = dependsOn.map(dependedOn).filter((each) => each !== undefined && each !== id);
  return [
    `provider.${provider}`,
    ...dependenciesOf([
      ...expressionsIn(body),
      ...expressionsIn(count),
      ...expressionsIn(forEach),
      ...expressionsIn(lifecycle.precondition),
      ...expressionsIn(lifecycle.postcondition),
      ...lifecycle.replaceTriggeredBy,
    ]),
    ...written.filter((each) => each !== undefined),
  ];
}

/** The node that an entry of `depends_on` names. */
export const dependedOn = ({ root, steps }: Traversal): string | undefined =>
  nodeOf({ root, steps: steps.map(({ step }) => step) });

/** The nodes on which expressions depend. A provider's function depends on no node: it needs no settings. */
export function dependenciesOf(expressions: readonly Expression[]): readonly string[] {
  const found = expressions.flatMap(referencesIn).map(nodeOf);
  return [...new Set(found.filter((id) => id !== undefined))];
}

/**
 * Returns the addresses of resources whose replacement creates the new object first: because the resource, or one that
 * depends on it, says so.
 *
 * @param nodes each after its dependencies
 * @see {@link https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#create_before_destroy}
 */
export function createdFirst(
  { resources }: Configuration,
  nodes: readonly GraphNode[],
): ReadonlySet<string> {
  const first = new Set<string>();
  for (const { id, dependencies } of nodes.toReversed()) {
    if (resources.get(id)?.lifecycle.createBeforeDestroy === true) first.add(id);
    if (first.has(id)) for (const dependency of dependencies) first.add(dependency);
  }
  return first;
}

/** What each node waits for, by its id. */
type Waits = ReadonlyMap<string, Iterable<string>>;

/** Returns everything that a node waits for, also through others. */
export function reachable(waits: Waits, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(waits.get(from) ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(waits.get(id) ?? []));
  }
  return found;
}
