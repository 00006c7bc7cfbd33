import { equals } from "../expression/equality";
import { isSame } from "./stand-ins";
import type { StoredOutput } from "./state";
import { withoutAssumed } from "./assumed-values";
import { isNumber, NotKnown, Value } from "../expression/value";
import { numberText } from "../../core/provider-kit/values";

/** A change in the format of `terraform show -json`. */
export interface JsonChange {
  readonly actions: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly after_unknown: unknown;
  readonly before_sensitive: unknown;
  readonly after_sensitive: unknown;
  readonly replace_paths?: readonly (readonly (string | number)[])[];
}

/** A resource in the format of `terraform show -json`. */
export interface JsonResourceChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly module_address?: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly deposed?: string;
  readonly action_reason?: string;
  readonly change: JsonChange;
}

/** Converts a value to plain JSON. What is not known is left out of objects, and null in lists. */
export function plainValue(value: Value): unknown {
  const { content } = value;
  if (content instanceof NotKnown) return undefined;
  if (isNumber(content)) {
    const double = Number(numberText(content));
    return Number.isFinite(double) ? double : numberText(content);
  }
  if (Array.isArray(content)) return value.elements().map((each) => plainValue(each) ?? null);
  if (!(content instanceof Map)) return content;
  const members = [...value.members()].flatMap(([name, member]) => {
    const plain = plainValue(member);
    return plain === undefined ? [] : [[name, plain] as const];
  });
  return Object.fromEntries(members);
}

/** Tells which parts of a value are not known: true, or the parts that contain such values. */
const unknownParts = (value: Value): unknown =>
  parts(value, ({ content }) => content instanceof NotKnown);

/** Tells which parts of a value are sensitive. */
const sensitiveParts = (value: Value): unknown => parts(value, (each) => each.isSensitive);

function parts(value: Value, isMarked: (value: Value) => boolean): unknown {
  if (isMarked(value)) return true;
  if (Array.isArray(value.content)) return value.elements().map((each) => parts(each, isMarked));
  if (!(value.content instanceof Map)) return false;
  const members = [...value.members()].flatMap(([name, member]) => {
    const found = parts(member, isMarked);
    return found === false ? [] : [[name, found] as const];
  });
  return Object.fromEntries(members);
}

/** Returns a change. Values that stand for others are not known in it. */
export function changeOf(
  actions: readonly string[],
  before: Value,
  after: Value,
  replacePaths: readonly (readonly (string | number)[])[],
): JsonChange {
  const [left, right] = [withoutAssumed(before, after), withoutAssumed(after, before)];
  return {
    actions,
    before: plainValue(left),
    after: plainValue(right),
    after_unknown: after.isNull ? {} : unknownParts(right),
    before_sensitive: before.isNull ? false : sensitiveParts(before),
    after_sensitive: after.isNull ? false : sensitiveParts(after),
    ...(replacePaths.length > 0 && { replace_paths: replacePaths }),
  };
}

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
