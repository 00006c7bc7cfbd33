import { type JsonObject, listOf, objectOf, textOf } from "./json-value";

/** A resource or data source as `terraform show -json` prints it. */
export interface ResourceValues {
  readonly address: string;
  /** The address without instance keys: what the graph calls it. */
  readonly label: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly values: JsonObject;
  /** Has `true` where the value is sensitive. */
  readonly sensitive: JsonObject;
}

/** What a plan would leave: managed resources to be, and data sources as they were read. */
export function plannedResources(plan: unknown): readonly ResourceValues[] {
  const { planned_values: planned, prior_state: prior } = objectOf(plan);
  return [
    ...resourcesIn(objectOf(planned)["root_module"]).filter(({ mode }) => mode === "managed"),
    ...resourcesOfState(prior).filter(({ mode }) => mode === "data"),
  ];
}

export function resourcesOfState(state: unknown): readonly ResourceValues[] {
  return resourcesIn(objectOf(objectOf(state)["values"])["root_module"]);
}

function resourcesIn(module: unknown): readonly ResourceValues[] {
  const { resources, child_modules: children } = objectOf(module);
  return [...listOf(resources).map(resourceValues), ...listOf(children).flatMap(resourcesIn)];
}

function resourceValues(value: unknown): ResourceValues {
  const resource = objectOf(value);
  const address = textOf(resource["address"]);
  return {
    address,
    label: labelOf(address),
    mode: resource["mode"] === "data" ? "data" : "managed",
    type: textOf(resource["type"]),
    name: textOf(resource["name"]),
    values: objectOf(resource["values"]),
    sensitive: objectOf(resource["sensitive_values"]),
  };
}

/** `module.m[0].x.y["k"]` is `module.m.x.y` in the graph. */
export function labelOf(address: string): string {
  return address.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "");
}
