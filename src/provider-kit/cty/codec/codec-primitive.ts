import { describe, type KnownValue, withNullAndUnknown } from "./codec-node";
import { Decimal } from "../decimal";
import type { MsgpackWriter } from "./msgpack-writer";
import {
  type CtyNumber,
  decimalOf,
  int64From,
  int64Of,
  isPrintedExactly,
  narrowDouble,
  narrowInteger,
  numberText,
  parseNumber,
} from "../number";
import { isInt64 } from "../../../schema/number";

/** The codec of strings. They are encoded in Unicode normal form NFC, as Terraform does. */
export const stringNode = withNullAndUnknown({
  encode(writer, value) {
    if (typeof value !== "string") throw writer.fail(`expected a string, got ${describe(value)}`);
    writer.string(value);
  },
  decode: (reader) => reader.string(),
});

/** The codec of booleans. */
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

/**
 * Terraform calculates with 512 bits. Its `0.1` differs from the double, so it is sent as a decimal
 * string.
 */
function writeUncommonNumber(writer: MsgpackWriter, value: CtyNumber): void {
  if (Number.isNaN(value)) throw writer.fail("NaN is not a number in Terraform");
  const narrow = typeof value === "number" ? value : parseNumber(numberText(value));
  if (typeof narrow === "number" && !Number.isInteger(narrow)) {
    if (!Number.isFinite(narrow) || isPrintedExactly(narrow)) writer.float(narrow);
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
  else writer.string(integer.toString());
}
