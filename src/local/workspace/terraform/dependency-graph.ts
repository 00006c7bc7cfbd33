/**
 * The dependency graph of a plan, as printed in DOT by `terraform graph -type=plan`. Only resources and data
 * sources are found by their label, such as `module.m.vm.a`: all others are nodes without one.
 *
 * @see https://developer.hashicorp.com/terraform/cli/commands/graph
 */
export class DependencyGraph {
  readonly #nodes = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  readonly #dependencies = new Map<string, Set<string>>();
  readonly #dependents = new Map<string, Set<string>>();

  constructor(dot: string) {
    const text = String.raw`"(?:[^"\\]|\\.)*"`;
    const edge = new RegExp(String.raw`^\s*(${text}) -> (${text})`, "gm");
    for (const [, from = "", to = ""] of dot.matchAll(edge)) {
      add(this.#dependencies, from, to);
      add(this.#dependents, to, from);
    }
    const node = new RegExp(String.raw`^\s*(${text}) \[label = (${text})`, "gm");
    for (const [, name = "", label = ""] of dot.matchAll(node)) {
      this.#nodes.set(label.slice(1, -1), name);
      this.#labels.set(name, label.slice(1, -1));
    }
  }

  has(label: string): boolean {
    return this.#nodes.has(label);
  }

  hasModule(module: string): boolean {
    return this.#dependencies.has(`"[root] ${module} (close)"`);
  }

  /**
   * Checks for an edge between resources of the root module. Dependencies implied by others have none: the graph
   * is reduced.
   */
  dependsDirectly(resource: string, on: string): boolean {
    const name = (label: string) => `"[root] ${label} (expand)"`;
    return this.#dependencies.get(name(resource))?.has(name(on)) ?? false;
  }

  /** Returns the label of the nearest accepted resource that depends on `label`, the first one of equally near. */
  nearestDependent(label: string, accept: (label: string) => boolean): string | undefined {
    return this.#nearest(this.#dependents, label, accept);
  }

  /** Returns the label of the nearest accepted resource that `label` depends on, the first one of equally near. */
  nearestDependency(label: string, accept: (label: string) => boolean): string | undefined {
    return this.#nearest(this.#dependencies, label, accept);
  }

  #nearest(
    edges: ReadonlyMap<string, ReadonlySet<string>>,
    label: string,
    accept: (label: string) => boolean,
  ): string | undefined {
    const start = this.#nodes.get(label);
    if (start === undefined) return undefined;
    const seen = new Set([start]);
    let level = [start];
    while (level.length > 0) {
      const next = new Set(level.flatMap((node) => [...(edges.get(node) ?? [])]));
      level = [...next].filter((node) => !seen.has(node));
      for (const node of level) seen.add(node);
      const labels = level.flatMap((node) => this.#labels.get(node) ?? []);
      const [found] = labels.filter(accept).sort();
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function add(edges: Map<string, Set<string>>, from: string, to: string): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, new Set([to]));
  else known.add(to);
}
