import * as fc from "fast-check";
import { isRecord } from "../../../src/json/is-object";
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
} from "../../../src/schema";
import { apply, declare, isSame, plan, type Values } from "./planning";

const doc = "x";

const primitive: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  t.string(),
  t.bool(),
  t.integer(),
  t.decimal(),
  t.int64(),
);

const typeOver = (attributes: fc.Arbitrary<Attributes>): fc.Arbitrary<Type> =>
  fc.oneof(
    { weight: 4, arbitrary: primitive },
    fc.oneof(
      primitive.chain((of) => fc.constantFrom<Type>(t.list(of), t.set(of), t.map(of))),
      attributes.chain((inner) => {
        const of = t.object(inner);
        return fc.constantFrom<Type>(of, t.list(of), t.set(of), t.map(of));
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

const declaration: fc.Arbitrary<Declaration> = fc
  .tuple(attributesOf(2), blocksOf(2))
  .map(([attributes, blocks]) => declare(attributes, blocks));

const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? `${inner}n` : inner,
  );

/** Terraform passes sets without duplicates. */
const collection = (element: fc.Arbitrary<unknown>, isSet: boolean): fc.Arbitrary<unknown> =>
  isSet
    ? fc.uniqueArray(element, { maxLength: 3, selector: asText })
    : fc.array(element, { maxLength: 3 });

function valueOf(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "string":
      return fc.constantFrom("", "red", "blue");
    case "decimal":
      return fc.constantFrom("1", "1.0", "0.1", "12345678901234567890.1");
    case "int64":
      return fc.constantFrom(1n, 2n, 2n ** 63n - 1n);
    case "bool":
      return fc.boolean();
    case "list":
    case "set":
      return collection(valueOf(type.of), type.kind === "set");
    case "map":
      return fc.dictionary(names, valueOf(type.of), { maxKeys: 2, noNullPrototype: true });
    case "object":
      return configOf(type.fields);
    default:
      return fc.constantFrom(1, 2, 2n ** 70n, 2n ** 70n + 1n);
  }
}

function configOf({ attributes, blocks = {} }: Fields): fc.Arbitrary<Values> {
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

const runs = { numRuns: 300, seed: 20260301 };

test("an applied configuration is planned again without changes, after a creation and after an update", async () => {
  const scene = declaration.chain((declared) =>
    fc.tuple(fc.constant(declared), configOf(declared), configOf(declared)),
  );
  await fc.assert(
    fc.asyncProperty(scene, async ([declared, first, second]) => {
      const created = apply(declared, (await plan(declared, first)).planned);
      const again = await plan(declared, first, created);
      expect(isSame(declared, again.planned, created)).toBe(true);
      expect(again.replaces).toEqual([]);
      const updated = apply(declared, (await plan(declared, second, created)).planned);
      const settled = await plan(declared, second, updated);
      expect(isSame(declared, settled.planned, updated)).toBe(true);
    }),
    runs,
  );
});

test("a plan differs from the configuration only where the configuration has no value", async () => {
  const scene = declaration.chain((declared) =>
    fc.tuple(fc.constant(declared), configOf(declared), configOf(declared)),
  );
  await fc.assert(
    fc.asyncProperty(scene, async ([declared, first, second]) => {
      const created = apply(declared, (await plan(declared, first)).planned);
      const { planned } = await plan(declared, second, created);
      for (const [name, { presence, type }] of Object.entries(declared.attributes)) {
        if (presence === "required" && (type.kind === "string" || type.kind === "integer")) {
          expect(planned[name]).toBe(second[name]);
        }
        if (presence === "optional" && second[name] === null) expect(planned[name]).toBeNull();
        if (Array.isArray(second[name])) {
          expect(planned[name]).toHaveLength(second[name].length);
        }
      }
      for (const name of Object.keys(declared.blocks)) {
        if (Array.isArray(second[name])) expect(planned[name]).toHaveLength(second[name].length);
        else expect(planned[name] === null).toBe(second[name] === null);
      }
    }),
    runs,
  );
});

const sameInAnyCase = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();

/** The same declaration, in which strings outside of sets mean the same in any case. */
function inAnyCase<F extends Fields>(fields: F): F {
  const { attributes, blocks = {} } = fields;
  const attribute = (each: Attribute): Attribute =>
    each.type.kind === "string"
      ? { ...each, semanticEquals: sameInAnyCase }
      : { ...each, type: typeInAnyCase(each.type) };
  return {
    ...fields,
    attributes: mapped(attributes, attribute),
    blocks: mapped(blocks, (each) =>
      each.nesting === "set" ? each : { ...each, fields: inAnyCase(each.fields) },
    ),
  };
}

function typeInAnyCase(type: Type): Type {
  if (type.kind === "object") return { ...type, fields: inAnyCase(type.fields) };
  if (!("of" in type) || type.kind === "set") return type;
  return { ...type, of: typeInAnyCase(type.of) };
}

/** The same configuration, with every string that means the same in any case in upper case. */
function inUpperCase({ attributes, blocks = {} }: Fields, values: Values): Values {
  const fields = (inner: Fields) => (value: unknown) =>
    isRecord(value) ? inUpperCase(inner, value) : value;
  return mapped(values, (value, name) => {
    const block = blocks[name];
    if (block !== undefined) {
      if (block.nesting === "set") return value;
      return Array.isArray(value) ? value.map(fields(block.fields)) : fields(block.fields)(value);
    }
    const type = attributes[name]?.type;
    if (type?.kind === "string") return typeof value === "string" ? value.toUpperCase() : value;
    if (type?.kind === "object") return fields(type.fields)(value);
    if (type === undefined || !("of" in type) || type.kind === "set") return value;
    if (type.of.kind !== "object" || !isRecord(value)) return value;
    const element = fields(type.of.fields);
    return Array.isArray(value) ? value.map(element) : mapped(value, element);
  });
}

function mapped<In, Out>(
  record: Readonly<Record<string, In>>,
  convert: (value: In, key: string) => Out,
): Record<string, Out> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, convert(value, key)]),
  );
}

test("a configuration that means the same plans no change, and an update keeps what means the same", async () => {
  const scene = declaration
    .map(inAnyCase)
    .chain((declared) => fc.tuple(fc.constant(declared), configOf(declared), configOf(declared)));
  await fc.assert(
    fc.asyncProperty(scene, async ([declared, first, second]) => {
      const created = apply(declared, (await plan(declared, first)).planned);
      const again = await plan(declared, inUpperCase(declared, first), created);
      expect(isSame(declared, again.planned, created)).toBe(true);
      expect(again.replaces).toEqual([]);
      const updated = apply(declared, (await plan(declared, second, created)).planned);
      const settled = await plan(declared, inUpperCase(declared, second), updated);
      expect(isSame(declared, settled.planned, updated)).toBe(true);
    }),
    runs,
  );
});
