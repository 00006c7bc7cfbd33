import type { CoreDiagnostic } from "../../core/provider-kit/core";
import { type CtyType, formatPath, numberText } from "../../core/provider-kit/values";
import { equals } from "../expression/equality";
import { isNumber, NotKnown, type UnknownReason, Value } from "../expression/value";
import { isSame } from "./stand-ins";
import type { NotPlanned, StoredOutput } from "./state";
import type { Step } from "./value-path";

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

/** An error or warning about a stack, with the address that it concerns. */
export interface LocatedDiagnostic extends CoreDiagnostic {
  /** Such as `ids_endpoint.edge["a"]`, `provider.ids` or `output.url`. */
  readonly address: string;
}

/** A planned value that is unknown for another reason than the apply. */
export interface UnknownValue {
  readonly address: string;
  /** The path of the attribute, such as `option[0].name`. */
  readonly attribute: string;
  /** True if the value certainly differs from the assumed one. */
  readonly isAnother?: true;
  /** Without the kind `apply`. */
  readonly reasons: readonly UnknownReason[];
}

/** A resource of another provider that could move to a new resource. */
export interface MovableResource {
  readonly from: string;
  /** The type of the new resource. */
  readonly type: string;
  /** Its values, converted to that type. */
  readonly before: unknown;
}

/** What a deployment would do, as far as it is known offline. */
export interface OfflinePlan {
  /** In the format of `terraform show -json`, including sensitive values. */
  readonly resourceChanges: readonly JsonResourceChange[];
  readonly outputChanges: Readonly<Record<string, JsonChange>>;
  readonly diagnostics: readonly LocatedDiagnostic[];
  readonly notPlanned: readonly NotPlanned[];
  readonly movable: readonly MovableResource[];
  readonly unknowns: readonly UnknownValue[];
}

/** Converts a value to plain JSON. Unknown values are missing in objects, and null in lists. */
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

const unknownParts = (value: Value): unknown => parts(value, ({ isKnown }) => !isKnown);
const sensitiveParts = (value: Value): unknown => parts(value, ({ isSensitive }) => isSensitive);

/** Returns a mask of the marked parts: true, or the parts that contain them. */
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

/** Returns a change, in which placeholders are unknown. */
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
  // If one value is sensitive, neither is shown.
  const isHidden = isSensitive || before?.isSensitive === true;
  return {
    ...changeOf([actionOf(before, value, isSensitive)], old, value, []),
    before_sensitive: isHidden,
    after_sensitive: isHidden,
  };
}

/** Returns the change of an output that is no longer in the stack. */
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

/**
 * Marks placeholders for values that a deployment would have decided, such as the time of a creation. No service returns
 * this character.
 */
const assumedSign = "\u{f8ff}";

/**
 * Replaces the values that only the apply decides by placeholders, as if the stack had been deployed. A string contains
 * the name of its attribute; any other value is null.
 */
export const assumed = (value: Value, address: string): Value =>
  replaced(value, [], (content, path) =>
    content.name === undefined ? `${address}.${formatPath(path)}` : undefined,
  );

/** Likewise replaces values that are not planned: a string contains the name of the value. */
export const standingIn = (value: Value): Value => replaced(value, [], ({ name = "" }) => name);

/** @param nameOf returns the placeholder for an unknown value; undefined to keep it as it is */
function replaced(
  value: Value,
  path: readonly Step[],
  nameOf: (content: NotKnown, path: readonly Step[]) => string | undefined,
): Value {
  const { content, type, isSensitive } = value;
  if (content instanceof NotKnown) {
    const name = nameOf(content, path);
    if (name === undefined) return value;
    return new Value(
      type,
      isText(type) ? `${assumedSign}${name}${assumedSign}` : null,
      isSensitive,
    );
  }
  return value.withParts((part, step) => replaced(part, [...path, step], nameOf));
}

const isText = (type: CtyType): boolean => type === "string" || type === "dynamic";

/**
 * Makes placeholders unknown again, so that they are never shown.
 *
 * @param before the value on the other side of a change: what is the same there becomes null, and thus no difference
 */
function withoutAssumed(value: Value, before?: Value): Value {
  const { content, type, isSensitive } = value;
  const isOpen = content instanceof NotKnown || (Array.isArray(content) && !value.isWhollyKnown);
  if (isOpen && before !== undefined && isSame(value, before)) {
    return new Value(type, null, isSensitive);
  }
  if (typeof content === "string") {
    if (!content.includes(assumedSign)) return value;
    if (content === before?.content) return new Value(type, null, isSensitive);
    const [, of = ""] = content.split(assumedSign);
    return Value.unknown(type, { kind: "apply", of }).marked(isSensitive);
  }
  const old = new Map(before?.places());
  return value.withParts((part, step) => withoutAssumed(part, old.get(step)));
}
