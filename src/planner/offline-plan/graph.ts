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
  /** Why its expressions cannot be read. A node with a fault has no dependencies. */
  readonly fault?: Error;
}

/** Roots of references that lead to no node: they belong to the block, or to Terraform. */
const rootsWithoutNode = new Set(["each", "count", "self", "path", "terraform", "ephemeral"]);

/** The node to which a reference leads; undefined if there is none, as for `each`. */
export function nodeOf({ root, steps }: Pick<Reference, "root" | "steps">): string | undefined {
  const [first, second] = steps;
  if (first === undefined || rootsWithoutNode.has(root)) return undefined;
  if (root !== "data") return `${root}.${first}`;
  return second === undefined ? undefined : `data.${first}.${second}`;
}

/**
 * Returns the nodes of a configuration, sorted after their dependencies.
 *
 * @throws EvaluationError when they form a circle
 */
export function orderedNodes(configuration: Configuration): readonly GraphNode[] {
  const { ordered, circle } = inOrder(allNodes(configuration));
  if (circle === undefined) return ordered;
  throw new EvaluationError(`Circular references: ${circle.join(" → ")}.`);
}

/** Sorts nodes after their dependencies. If they form a circle, returns its nodes, with the first again at the end. */
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
      nodeWith(id, () => dependenciesOf(expressionsIn([count, forEach]))),
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
  // Terraform ignores a dependency of a resource on itself.
  const written = dependsOn.flatMap((each) => dependedOn(each) ?? []).filter((each) => each !== id);
  return [
    `provider.${provider}`,
    ...dependenciesOf([
      ...expressionsIn([body, count, forEach, lifecycle.precondition, lifecycle.postcondition]),
      ...lifecycle.replaceTriggeredBy,
    ]),
    ...written,
  ];
}

/** The node that an entry of `depends_on` names. */
export const dependedOn = ({ root, steps }: Traversal): string | undefined =>
  nodeOf({ root, steps: steps.map(({ step }) => step) });

/** The nodes on which expressions depend. A function of a provider depends on none, because it needs no settings. */
export function dependenciesOf(expressions: readonly Expression[]): readonly string[] {
  const found = expressions.flatMap(referencesIn).map(nodeOf);
  return [...new Set(found.filter((id) => id !== undefined))];
}

/**
 * Returns the addresses of resources whose replacement creates the new object first: the resource, or one that depends
 * on it, has `create_before_destroy`.
 *
 * @param nodes sorted after their dependencies
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

/** The nodes for which each node waits, by id. */
type Waits = ReadonlyMap<string, Iterable<string>>;

/** Returns all nodes for which a node waits, directly or through others. */
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
