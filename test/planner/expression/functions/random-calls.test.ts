import * as fc from "fast-check";
import { comparedWithTerraform, type Given, list, map, set } from "./compared";

const text = fc.oneof(
  fc.string({
    maxLength: 6,
    unit: fc.constantFrom(...Array.from("aAb1 .,-_/\n\u00e9\u00df\ud83d\ude00")),
  }),
  fc.constantFrom("a", "true", "12", "1.5", "", "e\u0301", "10.0.0.0/8"),
);
const number = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.integer({ min: -1000, max: 1000 }).map((each) => each / 8),
  fc.constantFrom(0.1, 1e9, 1e-3, 123456789),
);
const primitive = fc.oneof(text, number, fc.boolean());
const uniform: fc.Arbitrary<readonly Given[]> = fc.oneof(
  fc.array(text, { maxLength: 4 }),
  fc.array(number, { maxLength: 4 }),
  fc.array(fc.boolean(), { maxLength: 4 }),
);
const mixed = fc.array(
  fc.oneof({ weight: 4, arbitrary: primitive }, { weight: 1, arbitrary: fc.constant(null) }),
  {
    maxLength: 4,
  },
);
const record = fc.dictionary(fc.constantFrom("a", "b", "c", "\u00e9"), primitive, { maxKeys: 3 });
const uniformRecord = fc.dictionary(fc.constantFrom("a", "b", "c"), number, { maxKeys: 3 });

const any: fc.Arbitrary<Given> = fc.oneof(
  primitive,
  uniform,
  mixed,
  fc.array(uniform, { maxLength: 3 }),
  record,
  fc.array(record, { maxLength: 3 }),
  uniform.map((elements) => list(...elements)),
  uniform.map((elements) => set(...elements)),
  uniformRecord.map((members) => map(members)),
);

/** The functions, each with the arguments that suit it. */
const functions: Readonly<Record<string, readonly fc.Arbitrary<Given>[]>> = {
  chunklist: [uniform, number],
  coalesce: [any, any],
  coalescelist: [any, any],
  compact: [mixed],
  concat: [any, any, any],
  contains: [any, primitive],
  distinct: [any],
  element: [any, number],
  flatten: [any],
  format: [fc.constantFrom("%s", "%v", "%d", "%5.1f|", "%q", "%#v", "%08.3g", "%-6s|", "%x"), any],
  formatlist: [fc.constantFrom("%s", "a%v-%v", "%[2]s%[1]s"), any, any],
  index: [any, primitive],
  join: [text, mixed],
  jsonencode: [any],
  keys: [any],
  length: [any],
  lookup: [any, text, any],
  lower: [text],
  matchkeys: [uniform, uniform, mixed],
  max: [number, primitive],
  merge: [any, any],
  one: [any],
  pow: [number, number],
  range: [number, number, number],
  replace: [text, text, text],
  reverse: [any],
  setintersection: [any, any],
  setproduct: [any, any],
  setsubtract: [any, any],
  setunion: [any, any],
  slice: [any, fc.nat(3), fc.nat(4)],
  sort: [mixed],
  split: [text, text],
  substr: [text, number, number],
  sum: [any],
  title: [text],
  tobool: [any],
  tolist: [any],
  tomap: [any],
  tonumber: [any],
  toset: [any],
  tostring: [any],
  transpose: [fc.dictionary(fc.constantFrom("a", "b"), uniform)],
  trim: [text, text],
  trimspace: [text],
  upper: [text],
  urlencode: [text],
  values: [any],
  zipmap: [mixed, any],
};

test("random calls do what they do in Terraform", () => {
  const calls = Object.fromEntries(
    Object.entries(functions).map(([name, args]) => [
      name,
      fc.sample(fc.tuple(...args), { numRuns: 20, seed: 12 }),
    ]),
  );
  const open = comparedWithTerraform(calls);
  expect(open.length).toBeLessThan(60);
});
