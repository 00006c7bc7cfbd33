import { parsedJson, type Properties } from "../../../json/plain-json";
import { listOf, objectOf, stringOf } from "../terraform/json-value";

/** An instance of a resource or data source in a state file. */
export interface StateInstance {
  readonly address: string;
  /** The address without instance key, as other instances refer to it. */
  readonly label: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly attributes: Properties;
  readonly sensitivePaths: readonly ValuePath[];
  /** Labels of everything that it depends on, directly or through others. */
  readonly dependencies: readonly string[];
}

export type ValuePath = readonly (string | number)[];

/** Reads the instances from Terraform's state file. Instances that are to be destroyed are left out. */
export function stateInstances(state: string): readonly StateInstance[] {
  return listOf(objectOf(parsedJson(state))["resources"])
    .map(objectOf)
    .flatMap((resource) => {
      const mode = resource["mode"] === "data" ? "data" : "managed";
      const text = (key: string) => stringOf(resource[key]);
      const [type, name, module] = [text("type"), text("name"), text("module")] as const;
      const prefix = `${module === "" ? "" : `${module}.`}${mode === "data" ? "data." : ""}`;
      const label = `${prefix}${type}.${name}`;
      return listOf(resource["instances"])
        .map(objectOf)
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => ({
          address: label + instanceKey(instance["index_key"]),
          label,
          mode,
          type,
          name,
          attributes: objectOf(instance["attributes"]),
          sensitivePaths: listOf(instance["sensitive_attributes"]).map(pathOf),
          dependencies: listOf(instance["dependencies"]).map(stringOf),
        }));
    });
}

/** Checks whether a value is sensitive, is part of a sensitive value, or contains one. */
export function isSensitive({ sensitivePaths }: StateInstance, path: ValuePath): boolean {
  return sensitivePaths.some((sensitive) =>
    sensitive.every((step, at) => at >= path.length || step === path[at]),
  );
}

/** Returns the value at a path of the attributes as a string; empty if there is no value. */
export function valueAt({ attributes }: StateInstance, path: ValuePath): string {
  let found: unknown = attributes;
  for (const step of path) {
    found = typeof step === "number" ? listOf(found)[step] : objectOf(found)[step];
  }
  return stringOf(found);
}

function instanceKey(key: unknown): string {
  return key === undefined || key === null ? "" : `[${JSON.stringify(key)}]`;
}

/**
 * Reads a path, whose steps are `{type: "get_attr", value: "item"}` or
 * `{type: "index", value: {value: 0, type: "number"}}`.
 */
function pathOf(steps: unknown): ValuePath {
  return listOf(steps).map((step) => {
    const { value } = objectOf(step);
    if (typeof value === "string") return value;
    const key = objectOf(value)["value"];
    return typeof key === "number" ? key : stringOf(key);
  });
}

/** Returns the IDs and tokens of the agents in a state, which the platform considers running. */
export function runningAgents(
  state: string,
  typePrefix: string,
): readonly { readonly id: string; readonly token: string }[] {
  return stateInstances(state)
    .filter(({ mode, type }) => mode === "managed" && type === `${typePrefix}agent`)
    .map((agent) => ({ id: valueAt(agent, ["id"]), token: valueAt(agent, ["token"]) }))
    .filter(({ token }) => token !== "");
}
