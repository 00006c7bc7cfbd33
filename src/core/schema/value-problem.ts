import { isObject, isRecord, ownValue } from "../json/plain-json";
import { type RuleIssue, type RuleSchema, type ValueRule, zod } from "./value-rule";
import { type FindingCode, suggestion } from "./finding";
import { decimalProblem, integerProblem, isInt32, isInt64, nearest } from "./number";
import type { Type } from "./type";

interface Wrong {
  readonly code: FindingCode;
  readonly message: string;
  /** The word that was probably meant. */
  readonly meant?: string | undefined;
}

const wrong = (message: string): Wrong => ({ code: "WRONG_TYPE", message });

const notDouble = "must be a 64-bit number of at most 1.8e308";
const notFloat32 = "must be a 32-bit number of at most 3.4e38";
const notInt32 = `must be an integer from ${-(2 ** 31)} to ${2 ** 31 - 1}`;
const notDecimal = "must be a decimal number, as a string";

/**
 * Checks the type of a known value, but not that of its elements and nested values. Returns undefined if it
 * is right.
 */
export function wrongType(type: Type, value: unknown): Wrong | undefined {
  switch (type.kind) {
    case "string":
      if (typeof value !== "string") return wrong("must be a string");
      if (type.values === undefined || type.values.includes(value)) return undefined;
      return {
        code: "INVALID_ARGUMENT",
        message: `must be one of ${type.values.map((each) => JSON.stringify(each)).join(", ")}`,
        meant: ownValue(type.meant ?? {}, value) ?? suggestion(value, type.values),
      };
    case "number":
      return typeof value === "number" && nearest(type, value) !== undefined
        ? undefined
        : wrong(type.bits === 32 ? notFloat32 : notDouble);
    case "integer": {
      const isInteger = typeof value === "bigint" || (typeof value === "number" && value % 1 === 0);
      if (!isInteger) return wrong("must be an integer");
      if (type.bits === 32) return isInt32(value) ? undefined : wrong(notInt32);
      const problem = typeof value === "bigint" ? integerProblem(value) : undefined;
      return problem === undefined ? undefined : wrong(problem);
    }
    case "decimal": {
      const problem = typeof value === "string" ? decimalProblem(value) : notDecimal;
      return problem === undefined ? undefined : wrong(problem);
    }
    case "int64":
      return typeof value === "bigint" && isInt64(value)
        ? undefined
        : wrong(`must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`);
    case "bool":
      return typeof value === "boolean" ? undefined : wrong("must be true or false");
    case "list":
    case "set":
      return Array.isArray(value) ? undefined : wrong("must be an array");
    case "map":
    case "object":
      return isObject(value) ? undefined : wrong("must be an object");
    case "dynamic":
      return undefined;
  }
}

interface BrokenPart {
  readonly path: readonly (string | number)[];
  readonly blamed: unknown;
  readonly message: string;
}

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
