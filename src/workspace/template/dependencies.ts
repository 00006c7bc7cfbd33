import type { ElementReferences, ReferenceGraph } from "../../construct";

const known = new WeakMap<ReferenceGraph, Dependencies>();

/** The dependencies of a validation's graph, worked out once for all rules. */
export function dependenciesIn(graph: ReferenceGraph): Dependencies {
  let made = known.get(graph);
  if (made === undefined) {
    made = new Dependencies(graph);
    known.set(graph, made);
  }
  return made;
}

/** What the elements of a stack depend on, directly or through others. */
export class Dependencies {
  readonly #graph: ReferenceGraph;
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(graph: ReferenceGraph) {
    this.#graph = graph;
  }

  /** Everything that one of the elements depends on, and the elements themselves. */
  from(addresses: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(addresses);
    // What is added while a set is gone through comes up as well.
    for (const address of reached) {
      for (const next of this.#graph.at(address)?.references ?? []) reached.add(next);
    }
    return reached;
  }

  /** Everything that an element depends on, and the element itself. */
  of(address: string): ReadonlySet<string> {
    let reached = this.#reached.get(address);
    if (reached === undefined) {
      reached = this.from([address]);
      this.#reached.set(address, reached);
    }
    return reached;
  }

  /**
   * What an element has an edge to in Terraform's own graph, which is what the platform reads. It
   * leaves an edge out when there is another way to the same element.
   */
  edges({ references }: ElementReferences): readonly string[] {
    if (references.size < 2) return [...references];
    const all = [...references];
    return all.filter((to) => !all.some((by) => by !== to && this.of(by).has(to)));
  }

  /** The reference beside which there is no edge to an element that is referred to directly. */
  detour({ references }: ElementReferences, to: string): string | undefined {
    for (const by of references) if (by !== to && this.of(by).has(to)) return by;
    return undefined;
  }
}
