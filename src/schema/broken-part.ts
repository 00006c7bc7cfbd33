import { isRecord } from "../json/is-object";
import { zod } from "./lazy-zod";
import type { RuleIssue, RuleSchema, ValueRule } from "./value-rule";

/** A part of a value that breaks a rule. */
export interface BrokenPart {
  /** Where it is in the value. */
  readonly path: readonly (string | number)[];
  /** The part, or the key that is wrong. */
  readonly blamed: unknown;
  readonly message: string;
}

/** The parts of a value that break a rule. */
export function brokenParts(rule: ValueRule, value: unknown): readonly BrokenPart[] {
  if (rule.accepts?.(value) === true) return [];
  const result = schemaOf(rule).safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => partsOf(issue, value));
}

const schemas = new WeakMap<ValueRule, RuleSchema>();

function schemaOf(rule: ValueRule): RuleSchema {
  let schema = schemas.get(rule);
  if (schema === undefined) {
    schema = rule.schema(zod());
    schemas.set(rule, schema);
  }
  return schema;
}

function partsOf(issue: RuleIssue, value: unknown): readonly BrokenPart[] {
  const isKey = issue.code === "invalid_key";
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const blamed = isKey
    ? path.at(-1)
    : path.reduce((at: unknown, step) => (isRecord(at) ? at[step] : undefined), value);
  const inner = isKey ? (issue.issues ?? []) : [];
  return (inner.length > 0 ? inner : [issue]).map(({ message }) => ({ path, blamed, message }));
}
