import { equals } from "../expression/equality";
import { Value } from "../expression/value";
import { changeOf, type JsonChange } from "./plan-json";
import { isSame } from "./stand-ins";
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
  // Neither value is shown if one of them is sensitive.
  const isHidden = isSensitive || before?.isSensitive === true;
  return {
    ...changeOf([actionOf(before, value, isSensitive)], old, value, []),
    before_sensitive: isHidden,
    after_sensitive: isHidden,
  };
}

/** Returns the change of an output that the stack no longer has. */
export const removedOutput = ({ value, isSensitive }: StoredOutput): JsonChange => ({
  ...changeOf(["delete"], value, Value.null(), []),
  before_sensitive: isSensitive,
  after_sensitive: isSensitive,
});

function actionOf(before: StoredOutput | undefined, value: Value, isSensitive: boolean): string {
  if (value.isNull && (before === undefined || before.value.isNull)) return "no-op";
  if (before === undefined) return "create";
  const isKept = value.isWhollyKnown
    ? equals(before.value, value) === true
    : isSame(before.value, value);
  return isKept && isSensitive === before.isSensitive ? "no-op" : "update";
}
