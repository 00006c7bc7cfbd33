import { isObject } from "../../json/is-object";
import type { Unknown } from "../../schema/unknown";
import { Decimal } from "./decimal";
import type { CtyType } from "./type";

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

/** The value of an attribute of type `"dynamic"`, with its actual type. */
export class DynamicValue {
  constructor(
    readonly type: CtyType,
    readonly value: CtyValue,
  ) {}
}

/** Whether a value is the value of an object or a map. */
export function isCtyRecord(value: unknown): value is CtyRecord {
  return isObject(value) && !(value instanceof Decimal) && !(value instanceof DynamicValue);
}
