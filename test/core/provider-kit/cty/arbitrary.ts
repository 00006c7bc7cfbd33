import * as fc from "fast-check";
import { Decimal } from "../../../../src/core/provider-kit/cty/number";
import type { CtyType } from "../../../../src/core/provider-kit/cty/type";
import { type CtyValue, DynamicValue } from "../../../../src/core/provider-kit/cty/value";
import { UNKNOWN } from "../../../../src/core/schema/type";

const primitive = fc.constantFrom<CtyType>("string", "number", "decimal", "int64", "bool");
const attributeName = fc.oneof(
  fc.stringMatching(/^[a-z_]{1,8}$/),
  fc.constantFrom("__proto__", "constructor", "toString", "grün"),
);

/** Types without dynamic parts, nested up to a few levels. */
const concreteType: fc.Arbitrary<CtyType> = typeOver(primitive);

/** Any type. */
export const anyType: fc.Arbitrary<CtyType> = typeOver(
  fc.oneof(primitive, fc.constant<CtyType>("dynamic")),
);

function typeOver(leaf: fc.Arbitrary<CtyType>): fc.Arbitrary<CtyType> {
  return fc.letrec<{ type: CtyType }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie("type").map((list) => ({ list })),
      tie("type").map((set) => ({ set })),
      tie("type").map((map) => ({ map })),
      fc.array(tie("type"), { maxLength: 3 }).map((tuple) => ({ tuple })),
      fc
        .uniqueArray(fc.tuple(attributeName, tie("type")), {
          maxLength: 4,
          selector: ([name]) => name,
        })
        .map((fields) => ({
          object: fields.map(([wire, type]) => ({ wire, name: wire, type })),
        })),
    ),
  })).type;
}

const number: fc.Arbitrary<CtyValue> = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: -60, max: 0 }))
    .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`)),
);

/** Whether values may be null or unknown at every level. */
interface ValueConstraints {
  readonly unknowns: boolean;
}

/** Values of a type. Objects sometimes omit a property, which means null. */
export function valueOf(type: CtyType, constraints: ValueConstraints): fc.Arbitrary<CtyValue> {
  const known = knownValueOf(type, constraints);
  const special: CtyValue[] = constraints.unknowns ? [null, UNKNOWN] : [null];
  return fc.oneof({ weight: 6, arbitrary: known }, fc.constantFrom(...special));
}

function knownValueOf(type: CtyType, constraints: ValueConstraints): fc.Arbitrary<CtyValue> {
  switch (type) {
    case "string":
      return fc.string({ unit: "grapheme" });
    case "number":
      return number;
    case "decimal":
      return fc
        .tuple(
          fc.bigInt({ min: -(10n ** 80n), max: 10n ** 80n }),
          fc.integer({ min: -60, max: 40 }),
        )
        .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`).text);
    case "int64":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case "bool":
      return fc.boolean();
    case "dynamic":
      return concreteType.chain((actual) =>
        valueOf(actual, constraints).map((value) => new DynamicValue(actual, value)),
      );
    default:
  }
  if ("list" in type) return fc.array(valueOf(type.list, constraints), { maxLength: 4 });
  if ("set" in type) return fc.array(valueOf(type.set, constraints), { maxLength: 4 });
  if ("map" in type) {
    const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor"));
    return fc.dictionary(key, valueOf(type.map, constraints), {
      maxKeys: 4,
      noNullPrototype: false,
    });
  }
  if ("tuple" in type) {
    return fc.tuple(...type.tuple.map((element) => valueOf(element, constraints)));
  }
  const properties = Object.fromEntries(
    type.object.map((field) => [field.name, valueOf(field.type, constraints)]),
  );
  return fc.record(properties, { requiredKeys: [] }).map(withoutUndefined);
}

/** fast-check omits properties, but its types cannot express that. */
function withoutUndefined(record: Readonly<Record<string, CtyValue | undefined>>): CtyValue {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
