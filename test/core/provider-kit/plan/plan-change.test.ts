import {
  block,
  computed,
  optional,
  required,
  optionalComputed,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";
import { apply, declare, plan } from "./planning";

const doc = "x";
const text = t.string();

const thing = declare({
  name: required(text, { doc, requiresReplace: true }),
  note: optional(text, { doc }),
  logs: optionalComputed(t.bool(), { doc, default: false }),
  place: optionalComputed(text, { doc }),
  id: computed(text, { doc, useStateForUnknown: true }),
  etag: computed(text, { doc }),
});

const state = { name: "a", note: null, logs: false, place: "here", id: "1", etag: "x" };

test("a creation leaves computed values unknown", async () => {
  expect(await plan(thing, { name: "a" })).toEqual({
    planned: { name: "a", note: null, logs: false, place: UNKNOWN, id: UNKNOWN, etag: UNKNOWN },
    replaces: [],
  });
});

test("without a change everything stays known", async () => {
  expect(await plan(thing, { name: "a" }, state)).toEqual({ planned: state, replaces: [] });
});

test("an update keeps useStateForUnknown values and resolved values", async () => {
  expect(await plan(thing, { name: "a", note: "n" }, state)).toEqual({
    planned: { ...state, note: "n", etag: UNKNOWN },
    replaces: [],
  });
});

test("unknown values of the configuration stay unknown and are a change", async () => {
  const { planned } = await plan(thing, { name: "a", note: UNKNOWN, place: UNKNOWN }, state);
  expect(planned).toMatchObject({ note: UNKNOWN, place: UNKNOWN, etag: UNKNOWN, id: "1" });
});

describe("a value that the resource sets", () => {
  const decide = (decisions: object) => () => ({ ...decisions });

  test("is planned, known or unknown", async () => {
    const known = await plan(thing, { name: "a" }, undefined, decide({ id: "p/a", place: "p" }));
    expect(known.planned).toMatchObject({ id: "p/a", place: "p", etag: UNKNOWN });
    const open = await plan(thing, { name: "a", note: "n" }, state, decide({ id: UNKNOWN }));
    expect(open.planned).toMatchObject({ id: UNKNOWN, etag: UNKNOWN, place: "here" });
  });

  test("is not a change when the state has it", async () => {
    expect((await plan(thing, { name: "a" }, state, decide({ id: "1" }))).planned).toEqual(state);
  });

  test("is a change when the state does not have it, and stays known while others become unknown", async () => {
    const { planned } = await plan(thing, { name: "a" }, state, decide({ etag: "y" }));
    expect(planned).toEqual({ ...state, etag: "y" });
    const moved = await plan(thing, { name: "a" }, state, decide({ place: "there" }));
    expect(moved.planned).toEqual({ ...state, place: "there", etag: UNKNOWN });
  });

  test("is decided on the draft, before anything becomes unknown", async () => {
    const seen: unknown[] = [];
    await plan(thing, { name: "a", note: "n" }, state, (drafted) => {
      seen.push(drafted);
      return {};
    });
    expect(seen).toEqual([{ ...state, note: "n" }]);
  });
});

test("integers beyond 2^53 are compared by their value", async () => {
  const big = declare({ size: optional(t.integer(), { doc, requiresReplace: true }) });
  const [a, b] = [2n ** 60n, 2n ** 60n + 1n];
  expect((await plan(big, { size: a }, { size: 2n ** 60n })).replaces).toEqual([]);
  expect((await plan(big, { size: b }, { size: a })).replaces).toEqual(["size"]);
});

describe("sets", () => {
  const tagged = declare({
    tags: optional(t.set(text), { doc, requiresReplace: true }),
    etag: computed(text, { doc }),
  });

  test("in another order or with repetitions are no change", async () => {
    const prior = { tags: ["a", "b"], etag: "x" };
    for (const tags of [
      ["b", "a"],
      ["a", "b", "a"],
    ]) {
      const { planned, replaces } = await plan(tagged, { tags }, prior);
      expect([planned["etag"], replaces]).toEqual(["x", []]);
    }
  });

  const shelf = declare(
    { etag: computed(text, { doc }) },
    {
      book: block.set(
        {
          attributes: {
            title: required(text, { doc }),
            lent: optional(t.bool(), { doc }),
            colour: optionalComputed(text, { doc, default: "red" }),
            mark: optionalComputed(text, { doc }),
            isbn: computed(text, { doc }),
          },
        },
        { doc },
      ),
    },
  );
  const book = (title: string, isbn: string, more = {}) => ({
    title,
    lent: null,
    colour: "red",
    mark: `m${isbn}`,
    isbn,
    ...more,
  });
  const given = (title: string, more = {}) => ({
    title,
    lent: null,
    colour: null,
    mark: null,
    isbn: null,
    ...more,
  });

  test("leave open which element keeps computed values, while an unknown one could be the same", async () => {
    const prior = { book: [book("a", "1"), book("b", "2")], etag: "x" };
    const exact = { title: "a", lent: null, colour: "red", mark: "m1", isbn: null };
    const config = (lent: unknown) => ({ book: [{ ...exact, lent }, given("a"), given("b")] });
    const decided = { ...book("b", "2"), isbn: UNKNOWN };
    const first = await plan(shelf, config(UNKNOWN), prior);
    const undecided = { ...book("a", "1"), mark: UNKNOWN, isbn: UNKNOWN };
    expect(first.planned["book"]).toEqual([
      { ...exact, lent: UNKNOWN, isbn: UNKNOWN },
      undecided,
      decided,
    ]);
    const final = await plan(shelf, config(null), prior);
    expect(final.planned["book"]).toEqual([{ ...exact, isbn: UNKNOWN }, undecided, decided]);
  });

  test("of blocks keep the computed values of an element, at any position", async () => {
    const prior = { book: [book("a", "1"), book("b", "2")], etag: "x" };
    const { planned } = await plan(shelf, { book: [given("b"), given("a")] }, prior);
    expect(planned).toEqual({ book: [book("b", "2"), book("a", "1")], etag: "x" });
  });

  test("of blocks may gain an element", async () => {
    const prior = { book: [book("a", "1")], etag: "x" };
    const { planned } = await plan(shelf, { book: [given("b"), given("a")] }, prior);
    const fresh = { ...given("b"), colour: "red", mark: UNKNOWN, isbn: UNKNOWN };
    expect(planned).toEqual({
      book: [fresh, { ...book("a", "1"), isbn: UNKNOWN }],
      etag: UNKNOWN,
    });
  });

  test("of blocks distinguish elements that differ in a value that one of them omits", async () => {
    const prior = {
      book: [book("a", "1", { lent: true }), book("a", "2"), book("a", "3", { mark: "mine" })],
      etag: "x",
    };
    const config = [given("a"), given("a", { mark: "mine" }), given("a", { lent: true })];
    expect((await plan(shelf, { book: config }, prior)).planned["etag"]).toBe("x");
  });
});

describe("nested attributes and blocks", () => {
  const inner = {
    size: required(t.number(), { doc }),
    on: optionalComputed(t.bool(), { doc, default: true }),
    id: computed(text, { doc, useStateForUnknown: true }),
    etag: computed(text, { doc }),
  };
  const nested = declare(
    {
      one: optional(t.object(inner), { doc }),
      list: optional(t.list(t.object(inner)), { doc }),
      map: optional(t.map(t.object(inner)), { doc }),
      etag: computed(text, { doc }),
    },
    {
      single: block.single({ attributes: inner }, { doc }),
      rows: block.list({ attributes: inner }, { doc }),
    },
  );
  const given = (size: number) => ({ size, on: null, id: null, etag: null });
  const config = {
    one: given(1),
    list: [given(1), given(2)],
    map: { a: given(1) },
    single: given(1),
    rows: [given(1)],
  };
  const fresh = (size: number) => ({ size, on: true, id: UNKNOWN, etag: UNKNOWN });

  test("are planned like those at the top", async () => {
    expect((await plan(nested, config)).planned).toEqual({
      one: fresh(1),
      list: [fresh(1), fresh(2)],
      map: { a: fresh(1) },
      single: fresh(1),
      rows: [fresh(1)],
      etag: UNKNOWN,
    });
  });

  test("keep useStateForUnknown values when one of them changes", async () => {
    const prior = apply(nested, (await plan(nested, config)).planned);
    expect((await plan(nested, config, prior)).planned).toEqual(prior);
    const { planned } = await plan(nested, { ...config, one: given(9) }, prior);
    expect(planned).toMatchObject({
      one: { size: 9, on: true, id: expect.stringMatching(/^given/) as string, etag: UNKNOWN },
      list: [
        { size: 1, etag: UNKNOWN },
        { size: 2, etag: UNKNOWN },
      ],
    });
  });

  test("are removed, and added again as new ones", async () => {
    const prior = apply(nested, (await plan(nested, config)).planned);
    const gone = (await plan(nested, { one: null, list: null, map: null }, prior)).planned;
    expect(gone).toEqual({
      one: null,
      list: null,
      map: null,
      single: null,
      rows: [],
      etag: UNKNOWN,
    });
    const back = (await plan(nested, config, apply(nested, gone))).planned;
    expect(back).toMatchObject({ one: fresh(1), single: fresh(1), rows: [fresh(1)] });
  });

  test("can be unknown as a whole", async () => {
    const open = {
      one: UNKNOWN,
      list: UNKNOWN,
      map: { a: UNKNOWN },
      single: UNKNOWN,
      rows: UNKNOWN,
    };
    expect((await plan(nested, open)).planned).toEqual({ ...open, etag: UNKNOWN });
  });
});

test("a replacing attribute replaces from inside blocks and nested attributes too", async () => {
  const inner = {
    key: optional(text, { doc, requiresReplace: true }),
    note: optional(text, { doc }),
  };
  const deep = declare(
    {
      one: optional(t.object(inner), { doc }),
      rows: optional(t.list(t.object(inner)), { doc }),
      byName: optional(t.map(t.object(inner)), { doc }),
      tags: optional(t.set(t.object(inner)), { doc }),
    },
    {
      part: block.list({ attributes: inner }, { doc }),
      single: block.single({ attributes: inner }, { doc }),
    },
  );
  const at = (key: string, note = "n") => ({ key, note });
  const all = (one: object) => ({
    one,
    rows: [at("0"), one],
    byName: { "a b": one },
    tags: [one],
    part: [at("0"), one],
    single: one,
  });
  expect((await plan(deep, all(at("b")), all(at("a")))).replaces).toEqual([
    'byName["a b"].key',
    "one.key",
    "part[1].key",
    "rows[1].key",
    "single.key",
    "tags",
  ]);
  expect((await plan(deep, all(at("a", "m")), all(at("a")))).replaces).toEqual(["tags"]);
  const fewer = { ...all(at("a")), one: null, part: [at("0")], single: null };
  expect((await plan(deep, fewer, all(at("a")))).replaces).toEqual([
    "one.key",
    "part[1].key",
    "single.key",
  ]);
});

describe("a nested value that appears or vanishes", () => {
  const inner = {
    key: optional(text, { doc, requiresReplace: true }),
    note: optional(text, { doc }),
  };
  const nested = declare(
    {
      one: optional(t.object(inner), { doc }),
      rows: optional(t.list(t.object(inner)), { doc }),
      byName: optional(t.map(t.object(inner)), { doc }),
      deep: optional(t.object({ rows: optional(t.list(t.object(inner)), { doc }) }), { doc }),
    },
    {
      part: block.list({ attributes: inner }, { doc }),
      single: block.single({ attributes: inner }, { doc }),
    },
  );
  const none = { one: null, rows: null, byName: null, deep: null, part: [], single: null };
  const all = (one: object | symbol) => ({
    one,
    rows: [one],
    byName: { a: one },
    deep: { rows: [one] },
    part: [one],
    single: one,
  });
  const everywhere = [
    "byName.a.key",
    "deep.rows[0].key",
    "one.key",
    "part[0].key",
    "rows[0].key",
    "single.key",
  ];
  const without = { key: null, note: "n" };

  test("replaces nothing without a replacing value", async () => {
    expect((await plan(nested, all(without), none)).replaces).toEqual([]);
    expect((await plan(nested, none, all(without))).replaces).toEqual([]);
  });

  test("replaces the resource with one", async () => {
    expect((await plan(nested, all({ ...without, key: "k" }), none)).replaces).toEqual(everywhere);
    expect((await plan(nested, none, all({ ...without, key: "k" }))).replaces).toEqual(everywhere);
  });

  test("replaces the resource if it is unknown", async () => {
    expect((await plan(nested, all({ ...without, key: UNKNOWN }), none)).replaces).toEqual(
      everywhere,
    );
    const unknown = { ...none, one: UNKNOWN, rows: UNKNOWN, byName: { a: UNKNOWN } };
    expect((await plan(nested, unknown, none)).replaces).toEqual(["byName.a", "one", "rows"]);
  });
});
