import type { PlanModification } from "../../../../src/core/provider-kit";
import {
  block,
  computed,
  optional,
  optionalComputed,
  required,
  resource,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";
import { plan, type Values } from "./planning";

const doc = "x";
const inner = {
  key: required(t.string(), { doc }),
  size: optionalComputed(t.integer(), { doc }),
  code: computed(t.string(), { doc }),
  kept: computed(t.string(), { doc, useStateForUnknown: true }),
};
const shelf = resource("x_shelf", {
  doc,
  attributes: {
    name: required(t.string(), { doc }),
    one: optional(t.object(inner), { doc }),
    rows: optional(t.list(t.object(inner)), { doc }),
    byName: optional(t.map(t.object(inner)), { doc }),
    bag: optional(t.set(t.object(inner)), { doc }),
    sized: optional(
      t.set(
        t.object({
          key: required(t.string(), { doc }),
          size: optionalComputed(t.integer(), { doc, default: 1 }),
        }),
      ),
      { doc },
    ),
    tags: optional(t.list(t.string()), { doc }),
    found: computed(t.map(t.object(inner)), { doc }),
    whole: computed(t.object(inner), { doc }),
    etag: computed(t.string(), { doc }),
  },
  blocks: {
    part: block.list({ attributes: inner }, { doc }),
    box: block.single({ attributes: inner }, { doc }),
    extra: block.set({ attributes: inner }, { doc }),
  },
});

type Modification = PlanModification<typeof shelf>;

const given = (key: string) => ({ key, size: null, code: null, kept: null });
const stored = (key: string) => ({ key, size: 1, code: `code ${key}`, kept: `kept ${key}` });

const config: Values = {
  name: "a",
  one: given("a"),
  rows: [given("a"), given("b")],
  byName: { a: given("a"), b: given("b") },
  bag: [given("a"), given("b")],
  part: [given("a")],
  box: given("a"),
  extra: [given("a")],
};
const prior: Values = {
  name: "a",
  one: stored("a"),
  rows: [stored("a"), stored("b")],
  byName: { a: stored("a"), b: stored("b") },
  bag: [stored("a"), stored("b")],
  sized: null,
  tags: null,
  found: { z: stored("z") },
  whole: stored("w"),
  etag: "x",
  part: [stored("a")],
  box: stored("a"),
  extra: [stored("a")],
};
const decide = (decision: Modification) => () => decision as Values;

const open = { size: UNKNOWN, code: UNKNOWN, kept: UNKNOWN };

test("sets values at any depth of a creation, and leaves the others unknown", async () => {
  const { planned } = await plan(
    shelf,
    config,
    undefined,
    decide({
      one: { code: "1" },
      rows: [undefined, { code: "2", size: null }],
      byName: { b: { code: "3" } },
      bag: [{ code: "4" }, undefined],
      found: { n: { key: "n" } },
      part: [{ kept: "5" }],
      box: { size: 6 },
    }),
  );
  expect(planned).toMatchObject({
    one: { key: "a", ...open, code: "1" },
    rows: [
      { key: "a", ...open },
      { key: "b", ...open, code: "2", size: null },
    ],
    byName: { a: { key: "a", ...open }, b: { key: "b", ...open, code: "3" } },
    bag: [
      { key: "a", ...open, code: "4" },
      { key: "b", ...open },
    ],
    found: { n: { key: "n", ...open } },
    whole: UNKNOWN,
    part: [{ key: "a", ...open, kept: "5" }],
    box: { key: "a", ...open, size: 6 },
  });
});

test("what is set stays known in an update, and everything else is planned by the declaration", async () => {
  const { planned } = await plan(
    shelf,
    { ...config, name: "b" },
    prior,
    decide({
      one: { code: "code a" },
      rows: [{ code: "new" }, undefined],
      byName: { a: { kept: UNKNOWN } },
      whole: { code: "c" },
      part: [{ code: "p" }],
    }),
  );
  const updated = (key: string) => ({ ...stored(key), code: UNKNOWN });
  expect(planned).toMatchObject({
    etag: UNKNOWN,
    one: stored("a"),
    rows: [{ ...stored("a"), code: "new" }, updated("b")],
    byName: { a: { ...updated("a"), kept: UNKNOWN }, b: updated("b") },
    bag: [updated("a"), updated("b")],
    whole: { key: UNKNOWN, size: 1, code: "c", kept: "kept w" },
    part: [{ ...stored("a"), code: "p" }],
    box: updated("a"),
    extra: [updated("a")],
  });
});

test("values that the state has are no change, and another one is, although it is nested", async () => {
  const same = await plan(
    shelf,
    config,
    prior,
    decide({ rows: [undefined, { code: "code b" }], found: { z: {} }, box: {} }),
  );
  expect(same).toEqual({ planned: prior, replaces: [] });
  const other = await plan(shelf, config, prior, decide({ bag: [undefined, { code: "new" }] }));
  expect(other.planned).toMatchObject({ etag: UNKNOWN, bag: [{ code: UNKNOWN }, { code: "new" }] });
});

test("a collection that only the provider sets has exactly the elements that were set", async () => {
  const { planned } = await plan(shelf, config, prior, decide({ found: { y: { key: "y" } } }));
  expect(planned["found"]).toEqual({ y: { key: "y", ...open } });
});

test("a configured value can keep the one in the state", async () => {
  const renamed = { ...config, one: given("A"), tags: ["A"] };
  const before = { ...prior, tags: ["a"] };
  const { planned } = await plan(
    shelf,
    renamed,
    before,
    decide({ one: { key: "a" }, tags: ["a"] }),
  );
  expect(planned).toEqual(before);
});

test("a set of blocks can gain elements", async () => {
  const extra = [undefined, { key: "more", code: "m" }];
  const { planned } = await plan(shelf, config, undefined, decide({ extra }));
  expect(planned["extra"]).toEqual([
    { key: "a", ...open },
    { key: "more", ...open, code: "m" },
  ]);
});

test.each<readonly [string, Modification, Values, string]>([
  ["a nested configured value", { one: { key: "b" } }, {}, "one.key is set by the configuration"],
  ["an element", { rows: [undefined, { key: "c" }] }, {}, "rows[1].key is set by the"],
  ["a map value", { byName: { a: { key: "c" } } }, {}, "byName.a.key is set by the configuration"],
  ["a set element", { bag: [{ key: "c" }, undefined] }, {}, "bag[0].key is set by the"],
  ["a block", { part: [{ key: "c" }] }, {}, "part[0].key is set by the configuration"],
  ["a set block", { extra: [{ key: "c" }] }, {}, "extra[0].key is set by the configuration"],
  ["another number of elements", { rows: [] }, {}, "rows must have the elements of the"],
  ["a new key", { byName: { c: { key: "c" } } }, {}, "it has 2 in the configuration, and 3 in"],
  ["fewer blocks of a set", { extra: [] }, {}, "extra must have the elements of the"],
  ["an unknown element", { rows: [undefined, UNKNOWN] }, {}, "rows[1] cannot be null or unknown"],
  ["an unknown value", { one: UNKNOWN }, {}, "one is set by the configuration, so"],
  ["an absent value", { tags: ["a"] }, {}, "tags can only be set by the configuration"],
  ["an absent block", { box: { code: "c" } }, { box: null }, "box is a block, which only"],
  [
    "another value than the default in a set",
    { sized: [{ size: 2 }] },
    { sized: [{ key: "a", size: null }] },
    "sized[0].size must have its default: elements of a set are matched",
  ],
  ["a value not known yet", { name: "b" }, { name: UNKNOWN }, "name is not known yet in the"],
  [
    "a nested value not known yet",
    { rows: [{ key: "b" }] },
    { rows: [{ ...given("a"), key: UNKNOWN }] },
    "rows[0].key is not known yet in the configuration",
  ],
])("%s is refused, by its path", async (_name, decision, changed, message) => {
  const scene = { ...config, ...changed };
  await expect(plan(shelf, scene, undefined, decide(decision))).rejects.toThrow(message);
});

test("names that are not declared are refused", async () => {
  const decision = { one: { colour: "red" } };
  await expect(plan(shelf, config, undefined, () => decision)).rejects.toThrow(
    "one.colour is not declared",
  );
});

describe("a replacement that the resource decides", () => {
  const replacing = (...paths: readonly (readonly (string | number)[])[]) =>
    plan(
      shelf,
      { ...config, name: "b", rows: [given("a"), given("c")], bag: [given("a")] },
      { ...prior, byName: { a: stored("a") } },
      (_drafted, requireReplace) => {
        paths.forEach(requireReplace);
        return {};
      },
    );

  test("has the paths that change, once each, sorted", async () => {
    const { replaces } = await replacing(
      ["rows", 1, "key"],
      ["name"],
      ["name"],
      ["rows", 0, "key"],
      ["one", "key"],
      ["byName", "b"],
      ["tags"],
    );
    expect(replaces).toEqual(["byName.b", "name", "rows[1].key"]);
  });

  test("has a set as a whole, and values that become unknown", async () => {
    expect((await replacing(["bag", 0, "key"], ["etag"])).replaces).toEqual(["bag", "etag"]);
  });

  test("can come from a value that the resource sets, without a changed configuration", async () => {
    const { replaces } = await plan(shelf, config, prior, (_drafted, requireReplace) => {
      requireReplace(["whole", "code"]);
      return { whole: { code: UNKNOWN } };
    });
    expect(replaces).toEqual(["whole.code"]);
  });

  test("does not apply to a creation", async () => {
    const { replaces } = await plan(shelf, config, undefined, (_drafted, requireReplace) => {
      requireReplace(["name"]);
      return {};
    });
    expect(replaces).toEqual([]);
  });

  test.each([[["colour"]], [["rows", "key"]], [["one", "key", "x"]], [["byName", 0]]])(
    "refuses %j, which is not declared",
    async (path) => {
      await expect(replacing(path)).rejects.toThrow("requireReplace needs a declared path");
    },
  );
});

test("the compiler knows what can be set", () => {
  const decisions: Modification[] = [
    { rows: [undefined, { code: "c" }], found: UNKNOWN, tags: ["a", UNKNOWN] },
    // @ts-expect-error - a number is no code
    { one: { code: 1 } },
    // @ts-expect-error - not declared
    { one: { colour: "red" } },
    // @ts-expect-error - a string cannot be left out
    { tags: [undefined] },
  ];
  expect(decisions).toHaveLength(4);
});
