import { isObject } from "../../json/is-object";
import type { Unknown } from "../../schema/unknown";
import { Decimal } from "./decimal";
import type { CtyType } from "./type";

/**
 * A value of Terraform's type system, as handlers see it.
 *
 * - Numbers are a `number` where that is precise (all safe integers, and fractions such as `0.1`
 *   that JavaScript prints the way they were written), otherwise a `bigint` for integers and a
 *   {@link Decimal} for fractions.
 * - Lists, sets and tuples are arrays. A set's array has no meaningful order.
 * - Objects and maps are objects with own properties; decoded maps have no prototype, so every text
 *   is usable as a key.
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

/** A value of an attribute of type `"dynamic"`, together with its actual type. */
export class DynamicValue {
  constructor(
    readonly type: CtyType,
    readonly value: CtyValue,
  ) {}
}

/** Whether a value is that of an object or a map. */
export function isCtyRecord(value: unknown): value is CtyRecord {
  return isObject(value) && !(value instanceof Decimal) && !(value instanceof DynamicValue);
}
