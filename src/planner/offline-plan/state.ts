import { failures } from "../../core/failure/failure";
import { fromCty } from "./provider-values";
import type { UnknownReason, Value } from "../expression/value";
import { isObject, type Properties, propertiesOf } from "../../core/json/plain-json";
import { CtyError, decodeJson, typeFromJson } from "../../core/provider-kit/values";
import { literalValue } from "./body";
import type { Mode } from "./configuration";
import { type InstanceKey, instanceAddress, parseTarget } from "./address";
import type { OpenPart } from "./stand-ins";

export interface StoredInstance {
  /** The module that contains it, such as `module.net["a"]`; undefined for the root module. */
  readonly module?: string | undefined;
  readonly mode: Mode;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
  /** The attributes as JSON, in {@link schemaVersion}. */
  readonly attributes: Properties;
  /** The unknown values of an assumed object; undefined for a deployed one. */
  readonly standIns?: readonly OpenPart[];
  readonly schemaVersion: number;
  readonly isTainted: boolean;
  /** Set if the object is left over from an incomplete replacement. */
  readonly deposedKey: string | undefined;
  /** The paths of sensitive values, such as `[{"type":"get_attr","value":"token"}]`. */
  readonly sensitivePaths: readonly (readonly (string | number)[])[];
  readonly private: Uint8Array;
  /** The addresses of the resources on which it depended when it was last changed. */
  readonly dependencies: readonly string[];
  /** True if `create_before_destroy` applied when it was last changed. */
  readonly isCreatedFirst: boolean;
  /** The source address of its provider, with its host. */
  readonly source: string;
}

/** A resource, or a part of it, that is not planned, and why. */
export interface NotPlanned {
  readonly address: string;
  readonly why: "other-provider" | "module" | "import" | "instances" | "network" | "work" | "bug";
  readonly reasons: readonly UnknownReason[];
}

/** The part of a state file that a plan depends on. */
export interface State {
  readonly instances: readonly StoredInstance[];
  readonly outputs: ReadonlyMap<string, StoredOutput>;
  /** What could not be planned in an assumed deployment. */
  readonly notPlanned?: readonly NotPlanned[];
}

export interface StoredOutput {
  readonly value: Value;
  readonly isSensitive: boolean;
}

export const emptyState: State = { instances: [], outputs: new Map() };

/** Thrown for a state that cannot be used. */
export const [stateError, isStateError] = failures<"STATE">("StateError");

/**
 * Reads the parsed content of a state file.
 *
 * @throws StateError when it is not a state of version 4
 * @see {@link https://developer.hashicorp.com/terraform/internals/json-format}
 */
export function readState(json: unknown): State {
  if (!isObject(json)) throw stateError("STATE", "the state is not a JSON object");
  const { version, resources = [], outputs } = json;
  if (version !== 4) {
    throw stateError(
      "STATE",
      `the state has the version ${JSON.stringify(version ?? null).slice(0, 20)}, but only version 4 can be read`,
    );
  }
  if (!Array.isArray(resources))
    throw stateError("STATE", "the resources of the state are not a list");
  return {
    instances: resources.flatMap((resource) => instancesOf(propertiesOf(resource))),
    outputs: new Map(
      Object.entries(propertiesOf(outputs)).map(([name, output]) => {
        const { sensitive } = propertiesOf(output);
        return [
          name,
          { value: outputValue(propertiesOf(output)), isSensitive: sensitive === true },
        ];
      }),
    ),
  };
}

/** The value of an output, with its type in the state. */
function outputValue({ value, type }: Properties): Value {
  if (type === undefined) return literalValue(value);
  try {
    const outputType = typeFromJson(JSON.stringify(type));
    const json = new TextEncoder().encode(JSON.stringify(value ?? null));
    return fromCty(outputType, decodeJson(outputType, json), () => []);
  } catch (error) {
    if (error instanceof CtyError)
      throw stateError("STATE", "the value of an output does not have its type");
    throw error;
  }
}

function instancesOf(resource: Properties): readonly StoredInstance[] {
  const { mode, type, name, provider, module, instances } = resource;
  if (typeof type !== "string" || typeof name !== "string") return [];
  const [, source = ""] = /provider\["([^"]+)"\]/.exec(String(provider)) ?? [];
  return (Array.isArray(instances) ? instances : []).map((each) => {
    const instance = propertiesOf(each);
    const { index_key: key, private: secret, deposed, dependencies } = instance;
    return {
      module: module === undefined ? undefined : moduleAddress(module),
      mode: mode === "data" ? "data" : "managed",
      type,
      name,
      key: typeof key === "string" || typeof key === "number" ? key : undefined,
      attributes: propertiesOf(instance["attributes"]),
      schemaVersion: Number(instance["schema_version"] ?? 0),
      isTainted: instance["status"] === "tainted",
      deposedKey: typeof deposed === "string" ? deposed : undefined,
      sensitivePaths: pathsIn(instance["sensitive_attributes"]),
      private: typeof secret === "string" ? Buffer.from(secret, "base64") : new Uint8Array(),
      dependencies: (Array.isArray(dependencies) ? dependencies : []).map(String),
      isCreatedFirst: instance["create_before_destroy"] === true,
      source,
    };
  });
}

/** The address of a module's instance, in the form of configurations. */
function moduleAddress(written: unknown): string {
  const found = parseTarget(written);
  return found === undefined ? String(written) : instanceAddress(found.block, found.key);
}

function pathsIn(paths: unknown): StoredInstance["sensitivePaths"] {
  return (Array.isArray(paths) ? paths : []).filter(Array.isArray).map((steps) =>
    (steps as readonly unknown[]).map((step) => {
      const { value } = propertiesOf(step);
      // An index is an object with its type.
      const plain = isObject(value) ? value["value"] : value;
      return typeof plain === "number" ? plain : String(plain);
    }),
  );
}
