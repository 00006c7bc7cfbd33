import { ctyTypeOf } from "../../../../src/core/provider-kit/plan/cty-type";
import { type ModifyPlan, planChange } from "../../../../src/core/provider-kit/plan/plan-change";
import type { CtyObjectType, CtyType } from "../../../../src/core/provider-kit/cty/type";
import { WireValues } from "../../../../src/core/provider-kit/testing";
import {
  type Attributes,
  type Blocks,
  type Declaration,
  type Fields,
  formatPath,
  resource,
  UNKNOWN,
} from "../../../../src/core/schema";
import { isRecord } from "../../../../src/core/json/plain-json";
import { equalValues } from "../../../../src/core/provider-kit/cty/equal";

export type Values = Readonly<Record<string, unknown>>;

/** A declaration with only the parts that a plan uses. */
export const declare = (attributes: Attributes, blocks: Blocks = {}): Declaration =>
  resource("x_thing", { doc: "A thing.", attributes, blocks });

/** Plans a change, with omitted values of config and prior filled in. */
export async function plan(
  declaration: Declaration,
  config: Values,
  prior?: Values,
  decide?: ModifyPlan,
) {
  const values = new WireValues(declaration);
  const { planned, requiresReplace } = await planChange(
    {
      declaration,
      type: values.type,
      config: values.fill(config),
      prior: prior && values.fill(prior),
    },
    decide,
  );
  return { planned, replaces: requiresReplace.map(formatPath) };
}

/** Whether Terraform treats two values of a declaration as equal. */
export const isSame = (declaration: Declaration, a: Values, b: Values): boolean =>
  equalValues(ctyTypeOf(declaration), a, b);

/** A known value for a member of an object, always the same for the same number. */
export function valueAt(type: CtyObjectType, name: string, number: number): unknown {
  const member = type.object.find((each) => each.name === name);
  return member && known(member.type, () => number);
}

/** Acts as the provider: replaces every unknown value by a different known one. */
export function apply(fields: Fields, planned: Values): Values {
  let count = 0;
  const next = (): number => (count += 1);
  const filled = (type: CtyType, value: unknown): unknown => {
    if (value === UNKNOWN) return known(type, next);
    if (typeof type === "string" || !isRecord(value)) return value;
    if ("object" in type) {
      return Object.fromEntries(
        type.object.map(({ name, type: of }) => [name, filled(of, value[name])]),
      );
    }
    if ("map" in type) {
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, filled(type.map, inner)]),
      );
    }
    const of = elementOf(type);
    return Array.isArray(value) ? value.map((inner: unknown) => filled(of, inner)) : value;
  };
  return filled(ctyTypeOf(fields), planned) as Values;
}

function known(type: CtyType, next: () => number): unknown {
  const number = next();
  if (type === "string") return `given ${number}`;
  if (type === "number") return number;
  if (type === "decimal") return `${number}.5`;
  if (type === "int64") return BigInt(number);
  if (typeof type === "string") return type === "bool" ? true : null;
  if ("map" in type) return { key: known(type.map, next) };
  if ("object" in type) {
    return Object.fromEntries(type.object.map(({ name, type: of }) => [name, known(of, next)]));
  }
  return [known("tuple" in type ? "string" : elementOf(type), next)];
}

function elementOf(type: Exclude<CtyType, string>): CtyType {
  if ("list" in type) return type.list;
  return "set" in type ? type.set : "dynamic";
}
