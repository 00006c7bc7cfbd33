import type { Properties } from "../../../core/json/plain-json";
import { listOf, objectOf, stringOf } from "./json-value";

/**
 * A resource or data source in the output of `terraform show -json`.
 *
 * @see https://developer.hashicorp.com/terraform/internals/json-format
 */
export interface ResourceValues {
  readonly address: string;
  /** The address without instance keys, as used in the graph. */
  readonly label: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly values: Properties;
  /** Contains `true` at the place of each sensitive value. */
  readonly sensitive: Properties;
}

/** Returns the resources of a plan: the planned managed resources, and the data sources that were read. */
export function plannedResources(plan: unknown): readonly ResourceValues[] {
  const { planned_values: planned, prior_state: prior } = objectOf(plan);
  return [
    ...resourcesIn(objectOf(planned)["root_module"]).filter(({ mode }) => mode === "managed"),
    ...resourcesOfState(prior).filter(({ mode }) => mode === "data"),
  ];
}

/** Returns the resources and data sources of a state, in the format of `terraform show -json`. */
export function resourcesOfState(state: unknown): readonly ResourceValues[] {
  return resourcesIn(objectOf(objectOf(state)["values"])["root_module"]);
}

function resourcesIn(module: unknown): readonly ResourceValues[] {
  const { resources, child_modules: children } = objectOf(module);
  return [...listOf(resources).map(resourceValues), ...listOf(children).flatMap(resourcesIn)];
}

function resourceValues(value: unknown): ResourceValues {
  const resource = objectOf(value);
  const address = stringOf(resource["address"]);
  return {
    address,
    label: labelOf(address),
    mode: resource["mode"] === "data" ? "data" : "managed",
    type: stringOf(resource["type"]),
    name: stringOf(resource["name"]),
    values: objectOf(resource["values"]),
    sensitive: objectOf(resource["sensitive_values"]),
  };
}

/** Returns the address without instance keys: `module.m[0].x.y["k"]` becomes `module.m.x.y`. */
export function labelOf(address: string): string {
  return address.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "");
}

export type PlannedAction = "create" | "update" | "replace" | "delete";

export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly action: PlannedAction;
  /** For a replacement, the paths of the attributes that cause it: `env`, `network[0].name`. */
  readonly replacePaths?: readonly string[];
}

/** Returns the changes in a plan, without resources that it only reads, forgets or leaves unchanged. */
export function planSummary(plan: unknown): readonly PlannedChange[] {
  return listOf(objectOf(plan)["resource_changes"]).flatMap((value) => {
    const change = objectOf(value);
    const { actions, replace_paths: paths } = objectOf(change["change"]);
    const action = actionOf(listOf(actions).map(stringOf));
    if (action === undefined) return [];
    const planned = {
      address: stringOf(change["address"]),
      type: stringOf(change["type"]),
      action,
    };
    return [
      action === "replace" ? { ...planned, replacePaths: listOf(paths).map(pathText) } : planned,
    ];
  });
}

const pathText = (path: unknown): string =>
  listOf(path)
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${stringOf(step)}`))
    .join("")
    .slice(1);

function actionOf(actions: readonly string[]): PlannedAction | undefined {
  if (actions.includes("create")) return actions.includes("delete") ? "replace" : "create";
  if (actions.includes("update")) return "update";
  return actions.includes("delete") ? "delete" : undefined;
}
