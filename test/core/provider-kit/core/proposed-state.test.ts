import { schemaOf } from "../../../../src/core/provider-kit/testing/wire-values";
import { proposedState } from "../../../../src/core/provider-kit/core/proposed-state";
import {
  type Attributes,
  block,
  type Blocks,
  computed,
  type Fields,
  optional,
  required,
  optionalComputed,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";

const doc = "x";
const member: Attributes = {
  key: required(t.string(), { doc }),
  note: optionalComputed(t.string(), { doc }),
  serial: computed(t.string(), { doc }),
};
const inner = (key: unknown, note: unknown = null, serial: unknown = null) => ({
  key,
  note,
  serial,
});
const fields = (attributes: Attributes, blocks: Blocks = {}): Fields => ({ attributes, blocks });

type Row = readonly [what: string, prior: unknown, config: unknown, proposed: unknown];

describe("of an attribute", () => {
  const all = fields({
    given: optional(t.string(), { doc }),
    either: optionalComputed(t.string(), { doc }),
    made: computed(t.string(), { doc }),
  });
  const value = (given: unknown, either: unknown, made: unknown) => ({ given, either, made });

  test.each<Row>([
    ["a creation is the configuration", null, value("a", null, null), value("a", null, null)],
    [
      "what is computed is kept",
      value("a", "b", "c"),
      value("z", null, null),
      value("z", "b", "c"),
    ],
    [
      "what is not given any more goes",
      value("a", "b", "c"),
      value(null, "z", null),
      value(null, "z", "c"),
    ],
    [
      "unknown is proposed",
      value("a", "b", "c"),
      value(UNKNOWN, UNKNOWN, null),
      value(UNKNOWN, UNKNOWN, "c"),
    ],
    ["a data source is unknown", UNKNOWN, value("a", null, null), value("a", UNKNOWN, UNKNOWN)],
  ])("%s", (_what, prior, config, proposed) => {
    expect(proposedState(schemaOf(all), prior, config)).toEqual(proposed);
  });
});

describe.each([
  ["list blocks", fields({}, { them: block.list({ attributes: member }, { doc }) })],
  ["a list of nested attributes", fields({ them: optional(t.list(t.object(member)), { doc }) })],
])("of %s", (_kind, all) => {
  test.each<Row>([
    [
      "elements belong together by index",
      [inner("a", "n", "1"), inner("b", "m", "2")],
      [inner("b"), inner("a", "o")],
      [inner("b", "n", "1"), inner("a", "o", "2")],
    ],
    [
      "a new element is the configuration's",
      [inner("a", "n", "1")],
      [inner("a"), inner("b")],
      [inner("a", "n", "1"), inner("b")],
    ],
    ["none are none", [inner("a", "n", "1")], [], []],
    ["unknown is unknown", [inner("a", "n", "1")], UNKNOWN, UNKNOWN],
  ])("%s", (_what, prior, config, proposed) => {
    expect(proposedState(schemaOf(all), { them: prior }, { them: config })).toEqual({
      them: proposed,
    });
  });
});

describe.each([
  ["set blocks", fields({}, { them: block.set({ attributes: member }, { doc }) })],
  ["a set of nested attributes", fields({ them: optional(t.set(t.object(member)), { doc }) })],
])("of %s", (_kind, all) => {
  test.each<Row>([
    [
      "elements belong together by what is configured",
      [inner("a", "n", "1"), inner("b", "m", "2")],
      [inner("b"), inner("a")],
      [inner("b", "m", "2"), inner("a", "n", "1")],
    ],
    [
      "an element that is configured otherwise is a new one",
      [inner("a", "n", "1")],
      [inner("a", "o")],
      [inner("a", "o")],
    ],
    [
      "no element is taken twice",
      [inner("a", "n", "1")],
      [inner("a"), inner("a", "n")],
      [inner("a", "n", "1"), inner("a", "n")],
    ],
  ])("%s", (_what, prior, config, proposed) => {
    expect(proposedState(schemaOf(all), { them: prior }, { them: config })).toEqual({
      them: proposed,
    });
  });
});

describe("of a map of nested attributes", () => {
  const all = fields({ them: optional(t.map(t.object(member)), { doc }) });

  test("elements are matched by key", () => {
    const prior = { them: { x: inner("a", "n", "1"), y: inner("b", "m", "2") } };
    const config = { them: { y: inner("c"), z: inner("d") } };
    expect(proposedState(schemaOf(all), prior, config)).toEqual({
      them: { y: inner("c", "m", "2"), z: inner("d") },
    });
  });
});

describe("of nested attributes that the provider may set", () => {
  const all = fields({ it: optionalComputed(t.object(member), { doc }) });

  test.each<Row>([
    ["what only a configuration gives goes with it", inner("a", "n", "1"), null, null],
    ["what the provider alone gave is kept", inner(null, "n", "1"), null, inner(null, "n", "1")],
    [
      "the members of a configured one are kept",
      inner("a", "n", "1"),
      inner("b"),
      inner("b", "n", "1"),
    ],
  ])("%s", (_what, prior, config, proposed) => {
    expect(proposedState(schemaOf(all), { it: prior }, { it: config })).toEqual({ it: proposed });
  });
});

describe("of a single block", () => {
  const all = fields({}, { it: block.single({ attributes: member }, { doc }) });

  test.each<Row>([
    ["its members are kept", inner("a", "n", "1"), inner("b"), inner("b", "n", "1")],
    ["it goes with the configuration", inner("a", "n", "1"), null, null],
    ["it comes with the configuration", null, inner("a"), inner("a")],
  ])("%s", (_what, prior, config, proposed) => {
    expect(proposedState(schemaOf(all), { it: prior }, { it: config })).toEqual({ it: proposed });
  });
});
