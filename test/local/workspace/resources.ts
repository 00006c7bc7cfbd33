import { DependencyGraph } from "../../../src/local/workspace/terraform/dependency-graph";
import {
  labelOf,
  type ResourceValues,
} from "../../../src/local/workspace/terraform/resource-values";

type Values = Readonly<Record<string, unknown>>;

export function managed(address: string, values: Values = {}): ResourceValues {
  return resource("managed", address, values);
}

export function data(address: string, values: Values = {}): ResourceValues {
  return resource("data", address, values);
}

function resource(mode: ResourceValues["mode"], address: string, values: Values): ResourceValues {
  const label = labelOf(address);
  const [type = "", name = ""] = label.split(".").slice(-2);
  return { address, label, mode, type, name, values, sensitive: {} };
}

/** Pairs of dependent and dependency. A module that ends has the label `module.m (close)`. */
export function graphOf(...edges: readonly (readonly [string, string])[]): DependencyGraph {
  return new DependencyGraph(dotOf(...edges));
}

export function dotOf(...edges: readonly (readonly [string, string])[]): string {
  const name = (label: string) =>
    label.endsWith(")") ? `"[root] ${label}"` : `"[root] ${label} (expand)"`;
  const labels = [...new Set(edges.flat())].filter((label) => !label.endsWith(")"));
  const nodes = labels.map((label) => `${name(label)} [label = "${label}", shape = "box"]`);
  return [...nodes, ...edges.map(([from, to]) => `${name(from)} -> ${name(to)}`)].join("\n");
}
