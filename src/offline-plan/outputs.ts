import { equals } from "../expression/equality";
import { Value } from "../expression/value";
import { literalValue } from "./body";
import { changeOf, type JsonChange, plainValue } from "./plan-json";
import type { StoredOutput } from "./state";

/**
 * Returns the change of an output.
 *
 * @param before what the state has; undefined for a new output
 */
export function outputChange(
  before: StoredOutput | undefined,
  value: Value,
  isSensitive: boolean,
): JsonChange {
  const old = before?.value ?? Value.null();
  return {
    ...changeOf([actionOf(before, value)], old, value, []),
    before_sensitive: before?.isSensitive ?? isSensitive,
    after_sensitive: isSensitive,
  };
}

/** Returns the change of an output that the stack no longer has. */
export const removedOutput = ({ value, isSensitive }: StoredOutput): JsonChange => ({
  ...changeOf(["delete"], value, Value.null(), []),
  before_sensitive: isSensitive,
  after_sensitive: isSensitive,
});

function actionOf(before: StoredOutput | undefined, value: Value): string {
  if (before === undefined) return value.isNull ? "no-op" : "create";
  return isSameJson(before.value, value) ? "no-op" : "update";
}

/** Compares values as JSON, which does not tell lists from tuples. */
function isSameJson(a: Value, b: Value): boolean {
  if (!b.isWhollyKnown) return false;
  const [left, right] = [plainValue(a), plainValue(b)];
  return equals(literalValue(left), literalValue(right)) === true;
}
