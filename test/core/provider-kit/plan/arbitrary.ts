import * as fc from "fast-check";
import { isRecord } from "../../../../src/core/json/plain-json";
import { Decimal } from "../../../../src/core/provider-kit/cty/number";
import {
  type Attribute,
  type Attributes,
  block,
  type Blocks,
  type Declaration,
  type Fields,
  optional,
  required,
  optionalComputed,
  computed,
  t,
  type Type,
} from "../../../../src/core/schema";
import { declare, type Values } from "./planning";

const doc = "x";

const primitive: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  t.string(),
  t.bool(),
  t.number(),
  t.float32(),
  t.integer(),
  t.decimal(),
  t.int64(),
);

const typeOver = (attributes: fc.Arbitrary<Attributes>): fc.Arbitrary<Type> =>
  fc.oneof(
    { weight: 4, arbitrary: primitive },
    fc.oneof(
      primitive.chain((of) => fc.constantFrom<Type>(t.list(of), t.set(of), t.map(of))),
      primitive
        .map((of) => t.nullable(of))
        .chain((of) => fc.constantFrom<Type>(t.list(of), t.set(of), t.map(of))),
      attributes.chain((inner) => {
        const of = t.object(inner);
        return fc.constantFrom<Type>(of, t.list(of), t.set(of), t.map(of), t.list(t.nullable(of)));
      }),
    ),
  );

const attributeOf = (type: Type): fc.Arbitrary<Attribute> =>
  fc.oneof(
    fc.boolean().map((requiresReplace) => required(type, { doc, requiresReplace })),
    fc.constant(optional(type, { doc })),
    fc.constant(optionalComputed(type, { doc })),
    fc.constant(
      type.kind === "string"
        ? optionalComputed(type, { doc, default: "red" })
        : optional(type, { doc }),
    ),
    fc.boolean().map((useStateForUnknown) => computed(type, { doc, useStateForUnknown })),
  );

const names = fc.constantFrom("a", "b", "c", "d");

function attributesOf(depth: number): fc.Arbitrary<Attributes> {
  const type = depth === 0 ? primitive : typeOver(attributesOf(depth - 1));
  return fc.dictionary(names, type.chain(attributeOf), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
}

function blocksOf(depth: number): fc.Arbitrary<Blocks> {
  if (depth === 0) return fc.constant({});
  const one = fc
    .record({
      attributes: attributesOf(depth - 1),
      blocks: blocksOf(depth - 1),
      nesting: fc.constantFrom("list", "set", "single"),
    })
    .map(({ attributes, blocks, nesting }) => block[nesting]({ attributes, blocks }, { doc }));
  return fc.dictionary(fc.constantFrom("x", "y"), one, { maxKeys: 2, noNullPrototype: true });
}

/** Declarations with nested attributes and blocks, two levels deep. */
export const declaration: fc.Arbitrary<Declaration> = fc
  .tuple(attributesOf(2), blocksOf(2))
  .map(([attributes, blocks]) => declare(attributes, blocks));

/** Values as text, equal for equal values. */
export const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? `${inner}n` : inner,
  );

/** Terraform passes sets without duplicates. */
const collection = (element: fc.Arbitrary<unknown>, isSet: boolean): fc.Arbitrary<unknown> =>
  isSet
    ? fc.uniqueArray(element, { maxLength: 3, selector: asText })
    : fc.array(element, { maxLength: 3 });

const elementOf = (type: Type): fc.Arbitrary<unknown> =>
  type.nullable === true ? fc.option(valueOf(type), { freq: 3 }) : valueOf(type);

function valueOf(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "string":
      return fc.constantFrom("", "red", "blue");
    case "number":
      // With the same nearest doubles, as Terraform calculates them.
      return fc.constantFrom(
        5,
        0.01,
        new Decimal(`0.01${"0".repeat(130)}2`),
        2n ** 53n,
        2n ** 53n + 1n,
      );
    case "decimal":
      return fc.constantFrom("1", "1.0", "0.1", "12345678901234567890.1");
    case "int64":
      return fc.constantFrom(1n, 2n, 2n ** 63n - 1n);
    case "bool":
      return fc.boolean();
    case "list":
    case "set":
      return collection(elementOf(type.of), type.kind === "set");
    case "map":
      return fc.dictionary(names, elementOf(type.of), { maxKeys: 2, noNullPrototype: true });
    case "object":
      return configOf(type.fields);
    default:
      return fc.constantFrom(1, 2, 2n ** 70n, 2n ** 70n + 1n);
  }
}

/** Configurations of a declaration, a block or an object: known values, and null. */
export function configOf({ attributes, blocks = {} }: Fields): fc.Arbitrary<Values> {
  const values: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, { presence, type }] of Object.entries(attributes)) {
    if (presence === "computed") values[name] = fc.constant(null);
    else values[name] = presence === "required" ? valueOf(type) : fc.option(valueOf(type));
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const one = configOf(fields);
    values[name] = nesting === "single" ? fc.option(one) : collection(one, nesting === "set");
  }
  return fc.record(values);
}

/**
 * Configurations that follow another one: unrelated ones, and ones whose lists shift, grow, shrink and change their
 * order.
 */
export const laterConfigOf = (fields: Fields, first: Values): fc.Arbitrary<Values> =>
  configOf(fields).chain((other) =>
    fc.oneof(
      fc.constant(other),
      fc
        .array(fc.nat(11), { minLength: 12, maxLength: 12 })
        .map((choices) => mixed(first, other, [...choices]) as Values),
    ),
  );

/** Mixes two values, as the choices say, which are used up and then all 0. */
function mixed(one: unknown, other: unknown, choices: number[]): unknown {
  const choice = choices.pop() ?? 0;
  const isSingle = [one, other].some((each) => !isRecord(each) || each instanceof Decimal);
  if (
    isSingle ||
    !isRecord(one) ||
    !isRecord(other) ||
    Array.isArray(one) !== Array.isArray(other)
  ) {
    return choice < 8 ? one : other;
  }
  if (Array.isArray(one)) return rearranged(one, Array.isArray(other) ? other : [], choice);
  return Object.fromEntries(
    Object.keys({ ...other, ...one }).map((key) => [
      key,
      key in one ? mixed(one[key], key in other ? other[key] : one[key], choices) : other[key],
    ]),
  );
}

function rearranged(
  one: readonly unknown[],
  other: readonly unknown[],
  choice: number,
): readonly unknown[] {
  const texts = new Set(one.map(asText));
  const added = other.filter((each) => !texts.has(asText(each))).slice(0, 1);
  const ways = [
    one,
    one.slice(1),
    one.slice(0, -1),
    one.toReversed(),
    [...added, ...one],
    [...one, ...added],
    [...added, ...one.slice(1)],
    [...one.slice(1), ...one.slice(0, 1)],
    [...one.slice(1), ...added],
    [...one.slice(0, 1), ...added, ...one.slice(1)],
  ];
  return ways[choice] ?? other;
}
