import type { ElementReferences, ReferenceGraph } from "../../construct";

const known = new WeakMap<ReferenceGraph, Dependencies>();

/** Returns the dependencies of a graph, computed once for all rules of a validation. */
export function dependenciesIn(graph: ReferenceGraph): Dependencies {
  let dependencies = known.get(graph);
  if (dependencies === undefined) {
    dependencies = new Dependencies(graph);
    known.set(graph, dependencies);
  }
  return dependencies;
}

class Dependencies {
  readonly #graph: ReferenceGraph;
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(graph: ReferenceGraph) {
    this.#graph = graph;
  }

  from(addresses: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(addresses);
    // Iterating over a set includes the elements added during the iteration.
    for (const address of reached) {
      for (const next of this.#graph.at(address)?.references ?? []) reached.add(next);
    }
    return reached;
  }

  of(address: string): ReadonlySet<string> {
    let reached = this.#reached.get(address);
    if (reached === undefined) {
      reached = this.from([address]);
      this.#reached.set(address, reached);
    }
    return reached;
  }

  /**
   * Returns the edges of an element in Terraform's own graph, which the platform reads. Terraform omits an
   * edge if there is another path to the same element (transitive reduction).
   */
  edges({ references }: ElementReferences): readonly string[] {
    if (references.size < 2) return [...references];
    const all = [...references];
    return all.filter((to) => !all.some((by) => by !== to && this.of(by).has(to)));
  }

  /** Returns the reference because of which Terraform omits the edge to a directly referenced element. */
  detour({ references }: ElementReferences, to: string): string | undefined {
    for (const by of references) if (by !== to && this.of(by).has(to)) return by;
    return undefined;
  }
}
