import type { Properties } from "../../../core/json/plain-json";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { firstReading } from "./rewritten-code";
import { labelOf } from "../terraform/resource-values";

export interface EvaluatedBlock {
  readonly address: string;
  /** Without instance keys and modules, such as `workspace_parameter.cores`. */
  readonly label: string;
  /** Terraform's type. */
  readonly type: string;
  /** Values by attribute. Nested blocks are lists. Unset attributes are null. */
  readonly values: Properties;
  /** `true` at the place of each unknown value. */
  readonly unknown: Properties;
  /** The attributes that the template sets, even to null. */
  readonly isSet: (attribute: string) => boolean;
  readonly references: (attribute: string) => readonly string[];
}

const valueOnly = ["id", "optional", "value", "name", "default", firstReading];

/**
 * Checks whether anything but the value of a parameter is not known. Terraform then reads nothing of it, not even
 * the value.
 */
export const isUnread = ({ unknown }: EvaluatedBlock): boolean =>
  Object.entries(unknown).some(
    ([name, each]) => !valueOnly.includes(name) && JSON.stringify(each).includes("true"),
  );

/** Returns a parameter as it is, with the value that it has when Terraform reads nothing but its value. */
export function withValue(block: EvaluatedBlock, read: EvaluatedBlock): EvaluatedBlock {
  const { default: fallback, [firstReading]: first } = read.values;
  return {
    ...block,
    values: { ...block.values, default: fallback, [firstReading]: first },
    unknown: { ...block.unknown, default: read.unknown["default"] },
  };
}

/** Returns the data sources of a plan, whether Terraform could read them or not. */
export function evaluatedBlocks(plan: unknown): readonly EvaluatedBlock[] {
  const { prior_state: prior, resource_changes: changes, configuration } = objectOf(plan);
  const written = writtenExpressions(objectOf(configuration)["root_module"]);
  const block = (data: Properties, values: unknown, unknown: unknown): EvaluatedBlock => {
    const address = stringOf(data["address"]);
    const type = stringOf(data["type"]);
    const set = written.get(labelOf(address)) ?? {};
    return {
      address,
      label: `${type}.${stringOf(data["name"])}`,
      type,
      values: objectOf(values),
      unknown: objectOf(unknown),
      isSet: (attribute) => attribute in set,
      references: (attribute) => listOf(objectOf(set[attribute])["references"]).map(stringOf),
    };
  };
  const read = dataOf(objectOf(objectOf(prior)["values"])["root_module"]).map((data) =>
    block(data, data["values"], {}),
  );
  const unread = listOf(changes)
    .map(objectOf)
    .filter(({ mode }) => mode === "data")
    .map((data) => {
      const change = objectOf(data["change"]);
      return block(data, change["after"], change["after_unknown"]);
    });
  return [...read, ...unread];
}

function dataOf(module: unknown): readonly Properties[] {
  const { resources, child_modules: children } = objectOf(module);
  const own = listOf(resources).map(objectOf);
  return [...own.filter(({ mode }) => mode === "data"), ...listOf(children).flatMap(dataOf)];
}

/** Returns the expressions of blocks by attribute, by the address without instance keys. */
function writtenExpressions(module: unknown, prefix = ""): ReadonlyMap<string, Properties> {
  const { resources, module_calls: calls } = objectOf(module);
  const own = listOf(resources)
    .map(objectOf)
    .map(
      ({ address, expressions }) => [prefix + stringOf(address), objectOf(expressions)] as const,
    );
  const below = Object.entries(objectOf(calls)).flatMap(([name, call]) => [
    ...writtenExpressions(objectOf(call)["module"], `${prefix}module.${name}.`),
  ]);
  return new Map([...own, ...below]);
}
