import { UNKNOWN } from "../../schema/type";
import { type Codec, compile } from "./codec";
import type { Encodable } from "./codec-node";
import { type CtyNumber, Decimal, normalizeDecimal, numberText } from "./number";
import type { CtyField, CtySetType, CtyType } from "./type";
import { type CtyRecord, type CtyValue, isCtyRecord, isList, readProperty } from "./value";

/**
 * Checks whether Terraform treats two values of a type as equal.
 *
 * Numbers are compared by value (`1`, `1n` and `new Decimal("1.0")` are equal), strings in Unicode normal
 * form, and sets regardless of order and duplicates. An unknown value equals only an unknown value. A set
 * with unknown elements equals only a set with as many unknown elements.
 *
 * @throws CtyError when an element of a set or a dynamic value does not match its type
 */
export function equal(type: CtyType, a: Encodable, b: Encodable): boolean {
  if (a === b) return true;
  const x = a ?? null;
  const y = b ?? null;
  if (x === null || y === null || x === UNKNOWN || y === UNKNOWN) return x === y;
  switch (type) {
    case "string":
      return typeof x === "string" && typeof y === "string" && sameString(x, y);
    case "number":
    case "int64":
      return isNumber(x) && isNumber(y) && sameNumber(x, y);
    case "decimal":
      return typeof x === "string" && typeof y === "string" && sameDecimal(x, y);
    case "bool":
      return false;
    case "dynamic":
      return sameBytes(dynamicCodec, x, y);
    default:
      if ("list" in type) return sameElements(() => type.list, x, y);
      if ("tuple" in type) return sameElements((index) => type.tuple[index], x, y);
      if ("set" in type) return sameElements(() => type.set, x, y) || sameSet(type, x, y);
      if (!isCtyRecord(x) || !isCtyRecord(y)) return false;
      return "map" in type ? sameMap(type.map, x, y) : sameObject(type.object, x, y);
  }
}

/** Compares two decoded values of a type. A missing value equals null. */
export const equalValues = (type: CtyType, a: unknown, b: unknown): boolean =>
  equal(type, (a ?? null) as CtyValue, (b ?? null) as CtyValue);

type Known = NonNullable<Encodable>;

const dynamicCodec = compile("dynamic");
const setCodecs = new WeakMap<CtySetType, Codec>();

function sameString(a: string, b: string): boolean {
  return a.normalize("NFC") === b.normalize("NFC");
}

function isNumber(value: Known): value is CtyNumber {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Decimal;
}

function sameNumber(a: CtyNumber, b: CtyNumber): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  return numberText(a) === numberText(b);
}

function sameDecimal(a: string, b: string): boolean {
  return a === b || normalizeDecimal(a) === normalizeDecimal(b);
}

function sameElements(typeAt: (index: number) => CtyType | undefined, a: Known, b: Known): boolean {
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  return a.every((element, index) => {
    const type = typeAt(index);
    return type !== undefined && equal(type, element, b[index]);
  });
}

/** Sets are encoded without duplicates and in a fixed order, so equal sets have equal bytes. */
function sameSet(type: CtySetType, a: Known, b: Known): boolean {
  if (!isList(a) || !isList(b)) return false;
  let codec = setCodecs.get(type);
  if (codec === undefined) {
    codec = compile(type);
    setCodecs.set(type, codec);
  }
  return sameBytes(codec, a, b);
}

function sameBytes(codec: Codec, a: Known, b: Known): boolean {
  return Buffer.compare(codec.encode(a), codec.encode(b)) === 0;
}

function sameMap(type: CtyType, a: CtyRecord, b: CtyRecord): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const other = sameKey(b, key);
    return Object.hasOwn(b, other) && equal(type, a[key], b[other]);
  });
}

/** Returns the key of a map that is equal for Terraform: it can be in another Unicode normal form. */
export function sameKey(map: Readonly<Record<string, unknown>>, key: string): string {
  if (Object.hasOwn(map, key)) return key;
  return Object.keys(map).find((each) => sameString(each, key)) ?? key;
}

function sameObject(fields: readonly CtyField[], a: CtyRecord, b: CtyRecord): boolean {
  return fields.every(({ name, type }) =>
    equal(type, readProperty(a, name), readProperty(b, name)),
  );
}
