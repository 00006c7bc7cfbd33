import { createHash } from "node:crypto";
import { spend } from "../expression/budget";
import type { Scope } from "../expression/evaluate";
import { type Expression, partsOf, splatElement } from "../expression/syntax";
import { isNumber, NotKnown, primitiveText, Value } from "../expression/value";
import { formatPath } from "../../core/provider-kit/values";
import { type Step, valueAt, withValueAt } from "./value-path";

/**
 * Names the unknown parts of a value, so that two plans can be compared: the same expression over the same unplanned
 * values has the same name. Values that only the apply decides have no name.
 *
 * @param expression the expression with this value in this scope
 */
export function named(value: Value, expression: Expression, scope: Scope): Value {
  const { content } = value;
  if (content instanceof NotKnown) {
    return content.name === undefined ? withName(value, nameOf(expression, scope)) : value;
  }
  if (value.isWhollyKnown) return value;
  return value.withParts((part, step) => named(part, partOf(expression, step), scope));
}

/** Names an unknown value. Known values stay the same. */
export const withName = (value: Value, name: string | undefined): Value =>
  value.content instanceof NotKnown
    ? new Value(value.type, new NotKnown(value.content.reasons, name), value.isSensitive)
    : value;

/** The part of a tuple or object expression, otherwise an index. */
function partOf(expression: Expression, step: Step): Expression {
  if (expression.kind === "tuple") {
    const found = expression.elements[Number(step)];
    if (found !== undefined) return found;
  }
  if (expression.kind === "object") {
    const found = expression.members.findLast(([key]) => constantIn(key) === step);
    if (found !== undefined) return found[1];
  }
  const value = typeof step === "number" ? Value.number(step) : Value.string(step);
  return { kind: "index", of: expression, key: { kind: "literal", value } };
}

/** Returns a name for the value of an expression; undefined if the value can differ between evaluations. */
export function nameOf(expression: Expression, scope: Scope): string | undefined {
  try {
    const found = resolved(expression, scope, noVariables);
    return found instanceof Value ? describedValue(found) : found;
  } catch (error) {
    // A chain can be too long for the call stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const noVariables: ReadonlySet<string> = new Set();

/** Functions whose results depend on more than their arguments. */
const impure = /^(?:core::)?(?:timestamp|plantimestamp|uuid$|bcrypt|file|templatefile)/;

/** Returns the value to which an expression refers, or else a name. */
function resolved(
  expression: Expression,
  scope: Scope,
  bound: ReadonlySet<string>,
): Value | string | undefined {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "variable":
      return bound.has(expression.name) ? `%${expression.name}` : scope.variable(expression.name);
    case "attribute":
      return stepInto(resolved(expression.of, scope, bound), expression.name);
    case "index": {
      const step = constantIn(expression.key);
      return step === undefined
        ? structure(expression, scope, bound)
        : stepInto(resolved(expression.of, scope, bound), step);
    }
    default:
      return structure(expression, scope, bound);
  }
}

/** A constant key; undefined for any other expression. */
function constantIn(key: Expression): Step | undefined {
  // Quoted text is a template.
  if (key.kind === "template" && key.parts.length === 1 && key.parts[0] !== undefined) {
    return constantIn(key.parts[0]);
  }
  if (key.kind !== "literal") return undefined;
  const { content } = key.value;
  return typeof content === "string" || typeof content === "number" ? content : undefined;
}

function stepInto(whole: Value | string | undefined, step: Step): Value | string | undefined {
  if (!(whole instanceof Value)) return whole === undefined ? undefined : within(whole, step);
  const { content } = whole;
  if (!(content instanceof NotKnown)) {
    return Array.isArray(content)
      ? whole.elements()[Number(step)]
      : whole.members().get(String(step));
  }
  return content.name === undefined ? undefined : within(content.name, step);
}

const within = (name: string, step: Step): string => `${name}[${JSON.stringify(String(step))}]`;

/** Describes an operation by its kind and its operands. */
function structure(
  expression: Expression,
  scope: Scope,
  bound: ReadonlySet<string>,
): string | undefined {
  if (expression.kind === "call" && impure.test(expression.name)) return undefined;
  const inner = new Set([...bound, ...variablesOf(expression)]);
  const parts: string[] = [];
  for (const part of partsOf(expression)) {
    const found = resolved(part, scope, inner);
    const text = found instanceof Value ? describedValue(found) : found;
    if (text === undefined) return undefined;
    parts.push(text);
  }
  const own = Object.entries(expression).filter(([, each]) => typeof each !== "object");
  return digest(JSON.stringify([own, parts]));
}

/** The variables that an expression defines for its parts. */
function variablesOf(expression: Expression): readonly string[] {
  if (expression.kind === "splat") return [splatElement];
  if (expression.kind !== "for") return [];
  const { keyName, valueName } = expression;
  return keyName === undefined ? [valueName] : [keyName, valueName];
}

const digestSteps = 50;

function digest(text: string): string {
  spend(digestSteps + (text.length >>> 3));
  return `#${createHash("sha256").update(text).digest("base64url").slice(0, 32)}`;
}

/** Describes a value, the same for equal values; undefined if an unknown part has no name. */
export function describedValue(value: Value): string | undefined {
  spend(1);
  const { content, type } = value;
  if (content instanceof NotKnown) return content.name;
  if (isNumber(content)) return primitiveText(value);
  if (!Array.isArray(content) && !(content instanceof Map)) return JSON.stringify(content);
  const parts: string[] = [];
  const keys = content instanceof Map ? [...value.members().keys()] : undefined;
  for (const [at, part] of value.parts().entries()) {
    const text = describedValue(part);
    if (text === undefined) return undefined;
    parts.push(keys === undefined ? text : `${JSON.stringify(keys[at])}:${text}`);
  }
  const isOrdered = keys === undefined && !(typeof type === "object" && "set" in type);
  return digest(JSON.stringify([keys !== undefined, isOrdered ? parts : parts.sort()]));
}

/** Checks whether values are certainly the same: equal, or unknown with the same name. */
export function isSame(one: Value, other: Value): boolean {
  const name = describedValue(one);
  return name !== undefined && name === describedValue(other);
}

/** An unknown part of a value, and its name. */
export interface OpenPart {
  readonly path: readonly Step[];
  readonly name: string | undefined;
  readonly value: Value;
}

/** Lists the unknown parts of a value. A set counts as one part, because its elements have no paths. */
export function openParts(value: Value, path: readonly Step[] = []): readonly OpenPart[] {
  const { content, type } = value;
  if (content instanceof NotKnown) return [{ path, name: content.name, value }];
  if (value.isWhollyKnown) return [];
  if (typeof type === "object" && "set" in type)
    return [{ path, name: describedValue(value), value }];
  return [...value.places()].flatMap(([step, part]) => openParts(part, [...path, step]));
}

/** Replaces parts of a value by unknown ones. */
export const withParts = (value: Value, parts: readonly OpenPart[]): Value =>
  parts.reduce((whole, { path, value: part }) => withValueAt(whole, path, part), value);

/** Returns the parts with the same path and name in both. */
export const samePartsOf = (
  parts: readonly OpenPart[],
  others: readonly OpenPart[],
): readonly OpenPart[] =>
  parts.filter(({ path, name }) =>
    others.some(
      (other) =>
        name !== undefined && name === other.name && formatPath(path) === formatPath(other.path),
    ),
  );

/** Gives the unknown parts of a plan their names in the configuration. */
export const withNamesOf = (planned: Value, config: Value): Value =>
  withParts(
    planned,
    openParts(config).filter(
      ({ path, name }) => name !== undefined && valueAt(planned, path)?.isWhollyKnown === false,
    ),
  );
