import { UNKNOWN } from "../../../schema/unknown";
import { Decimal } from "../decimal";
import type { MsgpackReader } from "./msgpack-reader";
import type { MsgpackWriter } from "./msgpack-writer";
import { DynamicValue, type CtyValue } from "../value";

/** A value to encode. `undefined`, the value of a missing property, means null. */
export type Encodable = CtyValue | undefined;

/** A value that is neither null nor unknown. */
export type KnownValue = Exclude<CtyValue, null | typeof UNKNOWN>;

/** Encodes and decodes the values of one type, as part of a larger value. */
export interface Node {
  readonly encode: (writer: MsgpackWriter, value: Encodable) => void;
  readonly decode: (reader: MsgpackReader) => CtyValue;
}

/** Adds null and unknown values, which every type has, to the codec of a type's known values. */
export function withNullAndUnknown(known: {
  readonly encode: (writer: MsgpackWriter, value: KnownValue) => void;
  readonly decode: (reader: MsgpackReader) => CtyValue;
}): Node {
  return {
    encode(writer, value) {
      if (value === null || value === undefined) writer.nil();
      else if (value === UNKNOWN) writer.unknown();
      else known.encode(writer, value);
    },
    decode(reader) {
      if (reader.takeNil()) return null;
      if (reader.takeUnknown()) return UNKNOWN;
      return known.decode(reader);
    },
  };
}

/** Writes unknown values as unknown, but not null. */
export const neverNull = ({ encode, decode }: Node): Node => ({
  encode(writer, value) {
    if (value === UNKNOWN) writer.unknownNotNull();
    else encode(writer, value);
  },
  decode,
});

/** Describes the kind of a value for an error. Does not show the value, which may be a secret. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Decimal) return "a number";
  if (value instanceof DynamicValue) return "a dynamic value";
  switch (typeof value) {
    case "string":
      return "a string";
    case "boolean":
      return "a boolean";
    case "number":
    case "bigint":
      return "a number";
    case "symbol":
      return value === UNKNOWN ? "an unknown value" : "a symbol";
    case "function":
      return "a function";
    default:
      return "an object";
  }
}
