import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Path } from "../../schema/finding";
import { type Type, UNKNOWN } from "../../schema/type";
import type { CtyType } from "../cty/type";
import { ctyTypeOf } from "./cty-type";
import { equalValues } from "../cty/equal";

/** A value that a resource itself has set, although Terraform does not accept it in a plan. */
export interface PlanBreach {
  /** The place of the value, in the declaration's names. */
  readonly path: Path;
  /** A predicate, without a full stop. */
  readonly reason: string;
}

interface Compared {
  readonly prior: unknown;
  readonly config: unknown;
  readonly planned: unknown;
  readonly decision: unknown;
  /** True inside an element of a set, at any depth. @default false */
  readonly isInSet?: boolean | undefined;
}

/**
 * Finds the first value that a resource itself has set, and that Terraform would refuse: a provider can set
 * computed attributes that the configuration leaves out, and keep the prior value of a configured one.
 *
 * Compares only decided values, so a plan without decisions costs nothing.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/resource-instance-change-lifecycle.md}
 */
export function planBreach(
  fields: Fields,
  { prior, config, planned, decision, isInSet }: Compared,
  path: Path = [],
): PlanBreach | undefined {
  const { attributes, blocks = {} } = fields;
  for (const name of keysOf(decision)) {
    if (member(decision, name) === undefined) continue;
    const type = ctyTypeOf(fields).object.find((each) => each.name === name)?.type;
    const at = [...path, name];
    if (type === undefined) return { path: at, reason: "is not declared" };
    const values: Compared = {
      prior: member(prior, name) ?? null,
      config: config === UNKNOWN ? UNKNOWN : (member(config, name) ?? null),
      planned: member(planned, name) ?? null,
      decision: member(decision, name),
      isInSet,
    };
    const attribute = attributes[name];
    const block = blocks[name];
    const found =
      attribute !== undefined
        ? attributeBreach(attribute, type, values, at)
        : block && blockBreach(block, type, values, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function attributeBreach(
  attribute: Attribute,
  type: CtyType,
  values: Compared,
  path: Path,
): PlanBreach | undefined {
  const { prior, config, planned } = values;
  if (attribute.neverNull === true && planned === null) {
    return { path, reason: "is declared as never null" };
  }
  if (equalValues(type, planned, attribute.writeOnly === true ? null : config)) return undefined;
  if (attribute.writeOnly === true) return { path, reason: "is write-only, so it must be null" };
  if (config === null) {
    const { presence } = attribute;
    if (values.isInSet === true && attribute.default !== undefined) {
      if (equalValues(type, planned, attribute.default)) return undefined;
      const reason = "must have its default: elements of a set are matched with the state by it";
      return { path, reason };
    }
    if (presence === "computed" || presence === "optionalComputed") return undefined;
    return { path, reason: "can only be set by the configuration, which leaves it out" };
  }
  if (config === UNKNOWN) {
    return { path, reason: "is not known yet in the configuration, so it must stay unknown" };
  }
  if (prior !== null && equalValues(type, planned, prior)) return undefined;
  return valueBreach(attribute.type, values, path);
}

/**
 * Finds a breach inside a configured value with nested attributes. Those that the provider computes can
 * differ.
 */
function valueBreach(type: Type, values: Compared, path: Path): PlanBreach | undefined {
  const { config, planned } = values;
  if (isRecord(config) && isRecord(planned)) {
    if (type.kind === "object") return planBreach(type.fields, values, path);
    if ("of" in type && type.of.kind === "object") {
      const { fields } = type.of;
      return elementsBreach(type.kind === "set", fields, values, path, sameCount(values, path));
    }
  }
  return {
    path,
    reason: "is set by the configuration, so the plan must have that value or the prior one",
  };
}

function blockBreach(
  { nesting, fields }: Block,
  type: CtyType,
  values: Compared,
  path: Path,
): PlanBreach | undefined {
  const { config, planned } = values;
  if (equalValues(type, planned, config)) return undefined;
  if (!isRecord(config) || !isRecord(planned)) {
    return { path, reason: "is a block, which only the configuration can add or remove" };
  }
  if (nesting === "single") return planBreach(fields, values, path);
  // Terraform does not count the blocks of a set.
  const isGrown = nesting === "set" && keysOf(planned).length >= keysOf(config).length;
  const miscount = isGrown ? undefined : sameCount(values, path);
  return elementsBreach(nesting === "set", fields, values, path, miscount);
}

function sameCount({ config, planned }: Compared, path: Path): PlanBreach | undefined {
  const [given, all] = [keysOf(config), keysOf(planned)];
  const added = all.find((key) => !given.includes(key));
  if (given.length === all.length && added === undefined) return undefined;
  const counts = `has ${given.length} in the configuration, and ${all.length} in the plan`;
  return { path, reason: `must have the elements of the configuration: it ${counts}` };
}

function elementsBreach(
  isSet: boolean,
  fields: Fields,
  { prior, config, planned, decision, isInSet }: Compared,
  path: Path,
  miscount: PlanBreach | undefined,
): PlanBreach | undefined {
  if (miscount !== undefined) return miscount;
  for (const key of keysOf(decision)) {
    const at = [...path, Array.isArray(planned) ? Number(key) : key];
    const values: Compared = {
      // An element of a set has no identity.
      prior: isSet ? null : member(prior, key),
      config: member(config, key),
      planned: member(planned, key),
      decision: member(decision, key),
      isInSet: isSet || isInSet,
    };
    if (values.decision === undefined || values.config === undefined) continue;
    if (values.config === values.planned) continue;
    if (!isRecord(values.planned)) {
      return { path: at, reason: "cannot be null or unknown itself, only what is nested in it" };
    }
    const found = planBreach(fields, values, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

const keysOf = (value: unknown): readonly string[] => (isRecord(value) ? Object.keys(value) : []);

const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
