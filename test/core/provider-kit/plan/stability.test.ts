import * as fc from "fast-check";
import { isRecord } from "../../../../src/core/json/plain-json";
import { compile } from "../../../../src/core/provider-kit/cty/codec";
import { equal } from "../../../../src/core/provider-kit/cty/equal";
import type { CtyValue } from "../../../../src/core/provider-kit/cty/value";
import { planChange } from "../../../../src/core/provider-kit/plan/plan-change";
import { Compiled } from "../../../../src/core/provider-kit/server/compiled";
import type { DynamicValueInit } from "../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6-value";
import { WireValues } from "../../../../src/core/provider-kit/testing";
import { planProblems } from "../../../../src/core/provider-kit/core/plan-problems";
import { resultProblems } from "../../../../src/core/provider-kit/core/result-problems";
import type { Attribute, Fields, Type } from "../../../../src/core/schema";
import { configOf, declaration, laterConfigOf } from "./arbitrary";
import { apply, isSame, plan, type Values } from "./planning";

const scene = declaration.chain((declared) =>
  configOf(declared).chain((first) =>
    fc.tuple(fc.constant(declared), fc.constant(first), laterConfigOf(declared, first)),
  ),
);

const runs = { numRuns: 300, seed: 20260301 };

test("an applied configuration is planned again without changes, after a creation and after an update", async () => {
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

test("numbers that no double represents are planned, stored and planned again as they are configured", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ([declared, first, second]) => {
      const compiled = new Compiled(declared);
      const { schema } = new WireValues(declared);
      const exact = compile(compiled.type);
      const sent = (values: unknown) => ({ msgpack: exact.encode(values as CtyValue), json: none });
      const read = ({ msgpack = none }: DynamicValueInit) => exact.decode(msgpack);
      const planned = async (config: Values, stored?: CtyValue) => {
        const given = compiled.decodeConfig(sent(config));
        const prior = compiled.decode(sent(stored ?? null));
        const values = { declaration: declared, type: compiled.type, config: given, prior };
        const change = await planChange(values);
        const found = read(compiled.encodePlan(change.planned, given, prior));
        // Defaults can make two elements of a set equal, which are one then.
        fc.pre(sizeOf(found) === sizeOf(change.planned));
        expect(planProblems(schema, stored ?? null, read(sent(config)), found)).toEqual([]);
        return found;
      };
      let state: CtyValue | undefined;
      for (const config of [first, second, first]) {
        const plan = await planned(config, state);
        const handed = compiled.decode(sent(plan)) ?? {};
        const result = apply(declared, { ...handed });
        state = read(compiled.encode(result, handed));
        // A provider must not make two elements of a set equal, as this one can.
        fc.pre(sizeOf(state) === sizeOf(result));
        expect(resultProblems(schema, plan, state)).toEqual([]);
        expect(equal(compiled.type, await planned(config, state), state)).toBe(true);
      }
    }),
    runs,
  );
});

/** The number of values inside a value, at any depth. */
const sizeOf = (value: unknown): number =>
  isRecord(value) ? Object.values(value).reduce((sum: number, each) => sum + sizeOf(each), 1) : 1;

const none = new Uint8Array();

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
  await fc.assert(
    fc.asyncProperty(scene, async ([plain, first, second]) => {
      const declared = inAnyCase(plain);
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
