import { DependencyGraph } from "../../../src/workspace/local/terraform/dependency-graph";
import {
  labelOf,
  type ResourceValues,
} from "../../../src/workspace/local/terraform/resource-values";

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

/** Pairs of dependent and dependency. */
export function graphOf(...edges: readonly (readonly [string, string])[]): DependencyGraph {
  const lines = edges.map(([from, to]) => `"[root] ${from} (expand)" -> "[root] ${to} (expand)"`);
  return new DependencyGraph(lines.join("\n"));
}
