import { isObject, isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { TypedValue, UNKNOWN, type Unknown } from "../../schema/type";
import { Decimal } from "./number";
import { CtyError, type CtyType } from "./type";

export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return isRecord(value) && Object.values(value).some(containsUnknown);
}

/** Returns the path of the first unknown value; undefined when everything is known. */
export function unknownPath(value: unknown, path: Path = []): Path | undefined {
  if (value === UNKNOWN) return path;
  if (!isRecord(value)) return undefined;
  return first(Object.entries(value), ([key, inner]) =>
    unknownPath(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Replaces every unknown value by null, so that the value can be stored in a state. */
export function withoutUnknown(value: CtyValue): CtyValue {
  if (value === UNKNOWN) return null;
  if (isList(value)) return value.map(withoutUnknown);
  if (!containsUnknown(value)) return value;
  const known = Object.create(Object.getPrototypeOf(value) as object | null) as Record<
    string,
    CtyValue
  >;
  for (const [name, inner] of Object.entries(value as Readonly<Record<string, CtyValue>>)) {
    known[name] = withoutUnknown(inner);
  }
  return known;
}

export function first<T, R>(items: Iterable<T>, visit: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = visit(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/**
 * A value in Terraform's type system, as handlers receive it.
 *
 * - A number is a `number` if that is exact (all safe integers, and fractions such as `0.1` that
 *   JavaScript prints as they were written), otherwise a `bigint` for integers and a
 *   {@link Decimal} for fractions.
 * - Lists, sets and tuples are arrays. A set's array has no meaningful order.
 * - Objects and maps are objects with own properties. Decoded maps have no prototype, so any string
 *   is a valid key.
 */
export type CtyValue =
  | null
  | Unknown
  | string
  | boolean
  | number
  | bigint
  | Decimal
  | DynamicValue
  | readonly CtyValue[]
  | CtyRecord;

/** The value of an object or a map. */
export interface CtyRecord {
  readonly [name: string]: CtyValue;
}

/** An empty map. Has no prototype, because `__proto__` is a key like any other. */
export const noEntries = Object.create(null) as CtyRecord;

/**
 * The value of an attribute of type `dynamic`, with its actual type. A null or unknown value whose type
 * Terraform does not know stays plain.
 */
export class DynamicValue extends TypedValue {
  constructor(
    readonly type: CtyType,
    readonly value: CtyValue,
  ) {
    super();
  }

  /**
   * Infers the type: arrays become tuples and records become objects, so elements can have different
   * types.
   *
   * @example DynamicValue.of({ replicas: 3, zones: ["a", "b"] })
   * @throws CtyError when the value contains something that Terraform has no type for, such as a function
   */
  static of(value: NonNullable<Exclude<CtyValue, Unknown>>): DynamicValue {
    return value instanceof DynamicValue ? value : new DynamicValue(typeOf(value), value);
  }
}

function typeOf(value: CtyValue): CtyType {
  if (value === null || value === UNKNOWN || value instanceof DynamicValue) return "dynamic";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Decimal) {
    return "number";
  }
  if (isList(value)) return { tuple: value.map(typeOf) };
  if (isCtyRecord(value)) {
    const fieldOf = ([name, each]: [string, CtyValue]) => ({
      name,
      wire: name,
      type: typeOf(each),
    });
    return { object: Object.entries(value).map(fieldOf) };
  }
  throw new CtyError(`Terraform has no type for ${typeof value}`);
}

/** Checks for the value of a list, set or tuple. */
export const isList = (value: unknown): value is readonly CtyValue[] => Array.isArray(value);

/** Checks for the value of an object or a map. */
export function isCtyRecord(value: unknown): value is CtyRecord {
  return isObject(value) && !(value instanceof Decimal) && !(value instanceof DynamicValue);
}

/** Reads an own property. Names such as `constructor` must not find inherited properties. */
export function readProperty(record: CtyRecord, name: string): CtyValue | undefined {
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : record[name];
}

const maxDepth = 1000;

/** Tracks the current path inside a value, so that an error can contain it. */
export class Trail {
  readonly #steps: (string | number)[] = [];
  #depth = 0;

  /**
   * Adds a step to the path.
   *
   * @throws CtyError when the value is nested too deeply
   */
  enter(step: string | number): void {
    if (this.#depth === maxDepth) {
      throw new CtyError(`values are nested deeper than ${maxDepth} levels`);
    }
    this.#steps[this.#depth] = step;
    this.#depth += 1;
  }

  /** Removes the last step of the path. */
  leave(): void {
    this.#depth -= 1;
  }

  fail(problem: string): CtyError {
    return new CtyError(problem, this.#steps.slice(0, this.#depth));
  }

  /** Adds the current path to a `CtyError` without a path. Returns any other error unchanged. */
  locate(error: unknown): unknown {
    return error instanceof CtyError && error.path.length === 0 ? this.fail(error.problem) : error;
  }
}
