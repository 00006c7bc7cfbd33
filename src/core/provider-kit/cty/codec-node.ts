import { integerProblem, isInt64 } from "../../schema/number";
import { UNKNOWN } from "../../schema/type";
import type { MsgpackReader } from "./msgpack-reader";
import type { MsgpackWriter } from "./msgpack-writer";
import {
  type CtyNumber,
  Decimal,
  decimalOf,
  int64From,
  int64Of,
  isPrintedExactly,
  narrowDouble,
  narrowInteger,
  numberText,
  parseNumber,
} from "./number";
import { type CtyValue, DynamicValue } from "./value";

/** A value to encode. `undefined`, the value of a missing property, means null. */
export type Encodable = CtyValue | undefined;

/** A value that is neither null nor unknown. */
type KnownValue = Exclude<CtyValue, null | typeof UNKNOWN>;

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

/** Writes an unknown value with the refinement that it is not null. */
export const neverNull = ({ encode, decode }: Node): Node => ({
  encode(writer, value) {
    if (value === UNKNOWN) writer.unknownNotNull();
    else encode(writer, value);
  },
  decode,
});

export const nullAsEmpty = ({ encode, decode }: Node): Node => ({
  encode,
  decode: (reader) => decode(reader) ?? [],
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

/** The codec of strings. They are encoded in Unicode normal form NFC, as Terraform does. */
export const stringNode = withNullAndUnknown({
  encode(writer, value) {
    if (typeof value !== "string") throw writer.fail(`expected a string, got ${describe(value)}`);
    writer.string(value);
  },
  decode: (reader) => reader.string(),
});

export const boolNode = withNullAndUnknown({
  encode(writer, value) {
    if (typeof value !== "boolean") throw writer.fail(`expected a boolean, got ${describe(value)}`);
    writer.bool(value);
  },
  decode: (reader) => reader.bool(),
});

/** The codec of numbers of any precision. */
export const numberNode = withNullAndUnknown({
  encode: writeNumber,
  decode: (reader) => reader.number(),
});

/** The codec of numbers of any precision, as decimal strings. */
export const decimalNode = withNullAndUnknown({
  encode: writeConverted(decimalOf),
  decode: (reader) => numberText(reader.number()),
});

/** The codec of 64-bit integers. Other numbers are decoded unchanged, so that the check can refuse them. */
export const int64Node = withNullAndUnknown({
  encode: writeConverted(int64Of),
  decode: (reader) => int64From(reader.number()),
});

function writeNumber(writer: MsgpackWriter, value: KnownValue): void {
  if (Number.isSafeInteger(value) && typeof value === "number") writer.integer(value);
  else if (typeof value === "number" || typeof value === "bigint" || value instanceof Decimal) {
    writeUncommonNumber(writer, value);
  } else throw writer.fail(`expected a number, got ${describe(value)}`);
}

function writeConverted(convert: (value: KnownValue) => CtyNumber) {
  return (writer: MsgpackWriter, value: KnownValue): void => {
    let number: CtyNumber;
    try {
      number = convert(value);
    } catch (error) {
      throw writer.locate(error);
    }
    writeNumber(writer, number);
  };
}

/** Terraform calculates with 512 bits. Its `0.1` differs from the double, so it is sent as a decimal string. */
function writeUncommonNumber(writer: MsgpackWriter, value: CtyNumber): void {
  // Terraform could read an infinite number, but not store it: the resource would be lost.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw writer.fail(`${value} is not a number in Terraform`);
  }
  const narrow = typeof value === "number" ? value : parseNumber(numberText(value));
  if (typeof narrow === "number" && !Number.isInteger(narrow)) {
    if (isPrintedExactly(narrow)) writer.float(narrow);
    else writer.string(numberText(narrow));
    return;
  }
  if (narrow instanceof Decimal) {
    const double = Number(narrow.text);
    if (numberText(narrowDouble(double)) === narrow.text) writer.float(double);
    else writer.string(narrow.text);
    return;
  }
  const integer = narrowInteger(BigInt(narrow));
  if (typeof integer === "number") writer.integer(integer);
  else if (isInt64(integer)) writer.bigInteger(integer);
  else {
    const problem = integerProblem(integer);
    if (problem !== undefined) throw writer.fail(`the number ${problem}`);
    writer.string(integer.toString());
  }
}
