import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { UNKNOWN } from "../../schema/type";
import { equalValues } from "../cty/equal";
import type { CtyType } from "../cty/type";
import { type Problem, shown } from "./diagnostic";
import { member } from "./proposed-state";
import { isSingle, type SchemaAttribute, type SchemaBlock, type SchemaNested } from "./schema";

/**
 * Finds the problems for which Terraform refuses a plan. A provider may set only computed attributes that the
 * configuration omits, and may keep the prior value of a configured attribute.
 *
 * Follows `AssertPlanValid` in Terraform's `internal/plans/objchange/plan_valid.go`. Elements of sets are not
 * compared, because they have no identity.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/plan_valid.go}
 */
export function planProblems(
  schema: SchemaBlock,
  prior: unknown,
  config: unknown,
  planned: unknown,
  path: Path = [],
): Problem[] {
  const problem = (message: string): Problem[] => [{ path, message }];
  if (planned === null && config !== null) {
    return problem("planned for absence but config wants existence");
  }
  if (planned !== null && config === null) {
    return problem("planned for existence but config wants absence");
  }
  if (planned === null) return [];
  return schema.type.object.flatMap(({ name, type }) => {
    const values: Compared = {
      type,
      prior: member(prior, name),
      config: member(config, name),
      planned: member(planned, name),
      path: [...path, name],
    };
    const attribute = schema.attributes.get(name);
    if (attribute?.isWriteOnly === true) {
      if (values.planned === null) return [];
      return [{ path: values.path, message: "write-only attributes must be null" }];
    }
    if (equalValues(type, values.planned, values.config)) return [];
    if (attribute !== undefined) return attributeProblems(attribute, values);
    const block = schema.blocks.get(name);
    return block === undefined ? [] : blockProblems(block, values);
  });
}

interface Compared {
  readonly type: CtyType;
  readonly prior: unknown;
  readonly config: unknown;
  readonly planned: unknown;
  readonly path: Path;
}

function attributeProblems(attribute: SchemaAttribute, values: Compared): Problem[] {
  const { type, prior, config, planned, path } = values;
  if (prior !== null && config !== null && equalValues(type, planned, prior)) return [];
  const { isComputed, isSensitive, nested } = attribute;
  if (config === null && isComputed) return [];
  const show = (value: unknown): string => (isSensitive ? "(sensitive)" : shown(value));
  if (config === null) {
    return [{ path, message: `planned value ${show(planned)} for a non-computed attribute` }];
  }
  if (nested !== undefined && isRecord(config) && isRecord(planned)) {
    return nestedProblems(nested, values);
  }
  const nor = prior === null ? "" : ` nor prior value ${show(prior)}`;
  const message = `planned value ${show(planned)} does not match config value ${show(config)}${nor}`;
  return [{ path, message }];
}

function blockProblems(block: SchemaNested, values: Compared): Problem[] {
  const { config, planned, path } = values;
  const problem = (message: string): Problem[] => [{ path, message }];
  if (config === UNKNOWN) return problem(`planned value ${shown(planned)} for an unknown block`);
  if (planned === UNKNOWN) {
    return problem("a block must not be unknown itself; set nested attribute values to unknown");
  }
  if (isSingle(block.nesting)) {
    return planProblems(block.block, values.prior, config, planned, path);
  }
  if (planned === null) return problem("no blocks must be an empty collection, not null");
  return block.nesting === "set" ? [] : nestedProblems(block, values);
}

/** Compares the members of an object, or the elements of a list or map, pair by pair. */
function nestedProblems({ nesting, block }: SchemaNested, values: Compared): Problem[] {
  const { prior, config, planned, path } = values;
  if (isSingle(nesting)) return planProblems(block, prior, config, planned, path);
  if (!isRecord(config) || !isRecord(planned)) return [];
  const given = Object.keys(config);
  const all = Object.keys(planned);
  if (given.length !== all.length) {
    const message = `count in plan (${all.length}) disagrees with count in config (${given.length})`;
    return [{ path, message }];
  }
  if (nesting === "set") return [];
  return all.flatMap((key) => {
    const at = [...path, nesting === "list" ? Number(key) : key];
    if (!Object.hasOwn(config, key)) {
      return [{ path: at, message: "planned element that is not in the config" }];
    }
    if (planned[key] === UNKNOWN && config[key] === UNKNOWN) return [];
    if (planned[key] === UNKNOWN) {
      return [{ path: at, message: "must not be unknown itself; set nested values to unknown" }];
    }
    return planProblems(block, member(prior, key), config[key], planned[key], at);
  });
}
