import { describe, withNullAndUnknown } from "./codec-node";
import { Decimal } from "../decimal";
import type { MsgpackWriter } from "./msgpack-writer";
import {
  type CtyNumber,
  isPrintedExactly,
  narrowDouble,
  narrowInteger,
  numberText,
  parseNumber,
} from "../number";

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

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
  encode(writer, value) {
    if (Number.isSafeInteger(value) && typeof value === "number") writer.integer(value);
    else if (typeof value === "number" || typeof value === "bigint" || value instanceof Decimal) {
      writeUncommonNumber(writer, value);
    } else throw writer.fail(`expected a number, got ${describe(value)}`);
  },
  decode: (reader) => reader.number(),
});

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
  else if (integer >= minInt64 && integer <= maxInt64) writer.bigInteger(integer);
  else writer.string(integer.toString());
}
