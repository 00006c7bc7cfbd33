/**
 * The dependency graph of a plan, as printed in DOT by `terraform graph -type=plan`.
 *
 * @see https://developer.hashicorp.com/terraform/cli/commands/graph
 */
export class DependencyGraph {
  readonly #dependencies = new Map<string, Set<string>>();
  readonly #dependents = new Map<string, Set<string>>();

  constructor(dot: string) {
    const edge = /^\s*("(?:[^"\\]|\\.)*") -> ("(?:[^"\\]|\\.)*")/gm;
    for (const [, from = '""', to = '""'] of dot.matchAll(edge)) {
      add(this.#dependencies, nodeName(from), nodeName(to));
      add(this.#dependents, nodeName(to), nodeName(from));
    }
  }

  /** Checks whether the graph has a node, such as `vm.a` or `module.m (close)`. */
  has(label: string): boolean {
    return this.#dependencies.has(label) || this.#dependents.has(label);
  }

  /** Checks for an edge. Dependencies implied by others have none: the graph is reduced. */
  dependsDirectly(label: string, on: string): boolean {
    return this.#dependencies.get(label)?.has(on) ?? false;
  }

  /** Returns the labels of the nearest accepted nodes that depend on `label`, sorted. */
  nearestDependents(label: string, accept: (label: string) => boolean): readonly string[] {
    return nearest(this.#dependents, label, accept);
  }

  /** Returns the labels of the nearest accepted nodes that `label` depends on, sorted. */
  nearestDependencies(label: string, accept: (label: string) => boolean): readonly string[] {
    return nearest(this.#dependencies, label, accept);
  }
}

function nearest(
  edges: ReadonlyMap<string, ReadonlySet<string>>,
  start: string,
  accept: (label: string) => boolean,
): readonly string[] {
  const seen = new Set([start]);
  let level = [start];
  while (level.length > 0) {
    const next = new Set(level.flatMap((node) => [...(edges.get(node) ?? [])]));
    level = [...next].filter((node) => !seen.has(node));
    for (const node of level) seen.add(node);
    const found = level.filter(accept);
    if (found.length > 0) return found.sort();
  }
  return [];
}

/**
 * Returns the name of a node: `"[root] a.b (expand)"` is `a.b`. Nodes that close a module or a provider keep
 * their name.
 */
function nodeName(quoted: string): string {
  const name = quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1");
  return name.replace(/^\[root\] /, "").replace(/ \(expand\)$/, "");
}

function add(edges: Map<string, Set<string>>, from: string, to: string): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, new Set([to]));
  else known.add(to);
}
