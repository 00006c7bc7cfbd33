import { attributeChanges } from "../../../src/planner/changes/attribute-changes";
import type { PlannedChange } from "../../../src/planner/changes/plan-document";

const change = (parts: Partial<PlannedChange>): PlannedChange => ({
  actions: ["update"],
  before: {},
  after: {},
  afterUnknown: {},
  beforeSensitive: {},
  afterSensitive: {},
  replacePaths: [],
  importId: undefined,
  ...parts,
});

/** As people read it, and as `--json` prints it. */
const found = (parts: Partial<PlannedChange>) =>
  (
    JSON.parse(JSON.stringify(attributeChanges(change(parts)))) as {
      path: string;
      action: string;
      before?: unknown;
      after?: unknown;
    }[]
  ).map(({ path, action, before, after }) => [action, path, before, after]);

describe("the changed attributes", () => {
  it("are those that differ", () => {
    expect(
      found({
        before: { same: 1, changed: "a", removed: true, empty: null, list: [1, 2] },
        after: { same: 1, changed: "b", removed: null, added: 0, empty: [], list: [1, 3] },
      }),
    ).toEqual([
      ["add", "added", undefined, 0],
      ["change", "changed", "a", "b"],
      ["change", "list", [1, 2], [1, 3]],
      ["remove", "removed", true, undefined],
    ]);
  });

  it("name the part of an object, a map or a list of objects that differs", () => {
    expect(
      found({
        before: { labels: { a: "1", "b c": "2" }, option: [{ name: "x" }, { name: "y" }] },
        after: { labels: { a: "1", "b c": "3" }, option: [{ name: "x" }, { name: "z" }] },
      }),
    ).toEqual([
      ["change", `labels["b c"]`, "2", "3"],
      ["change", "option[1].name", "y", "z"],
    ]);
  });

  it("are the elements that only one of two lists has", () => {
    expect(
      found({
        before: { option: [{ name: "x" }, { name: "y" }] },
        after: { option: [{ name: "y" }] },
      }),
    ).toEqual([["remove", "option[0]", { name: "x" }, undefined]]);
    expect(
      found({
        before: { option: [{ name: "x" }] },
        after: { option: [{ name: "x" }, { name: "y" }] },
      }),
    ).toEqual([["add", "option[1]", undefined, { name: "y" }]]);
  });

  it("are unknown where only the apply determines them, also inside of other values", () => {
    const open = "(known after apply)";
    expect(
      found({
        before: { id: "1", option: [{ name: "x", id: "2" }] },
        after: { option: [{ name: "x" }], labels: {} },
        afterUnknown: { id: true, option: [{ id: true }], labels: { a: true } },
      }),
    ).toEqual([
      ["change", "id", "1", open],
      ["add", "labels", undefined, { a: open }],
      ["change", "option[0].id", "2", open],
    ]);
  });

  it("force a replacement where the plan says so", () => {
    const changes = attributeChanges(
      change({
        before: { zone: "a", other: 1, env: { x: 1 } },
        after: { zone: "b", other: 2, env: { x: 2 } },
        replacePaths: [["zone"], ["env"]],
      }),
    );
    expect(changes.map(({ path, forcesReplacement }) => [path, forcesReplacement])).toEqual([
      ["env.x", true],
      ["other", false],
      ["zone", true],
    ]);
  });

  it("have no name that every object inherits", () => {
    expect(
      found({ before: { map: { constructor: "a" } }, after: { map: { toString: "b" } } }),
    ).toEqual([
      ["remove", "map.constructor", "a", undefined],
      ["add", "map.toString", undefined, "b"],
    ]);
  });
});

describe("a sensitive value is never in them", () => {
  const secret = "hunter2";

  it.each<[string, Partial<PlannedChange>]>([
    ["added", { before: null, after: { a: secret }, afterSensitive: { a: true } }],
    ["removed", { before: { a: secret }, after: { a: null }, beforeSensitive: { a: true } }],
    ["changed", { before: { a: secret }, after: { a: `${secret}2` }, ...both({ a: true }) }],
    [
      "no longer sensitive",
      { before: { a: secret }, after: { a: `${secret}2` }, beforeSensitive: { a: true } },
    ],
    [
      "from now on sensitive",
      { before: { a: secret }, after: { a: `${secret}2` }, afterSensitive: { a: true } },
    ],
    [
      "in an object",
      { before: { a: {} }, after: { a: { b: secret, c: 1 } }, afterSensitive: { a: { b: true } } },
    ],
    [
      "in an object that is added",
      { before: {}, after: { a: { b: secret, c: 1 } }, afterSensitive: { a: { b: true } } },
    ],
    [
      "in an element that is added",
      {
        before: { a: [{ b: "x" }] },
        after: { a: [{ b: "x" }, { b: secret }] },
        afterSensitive: { a: [{}, { b: true }] },
      },
    ],
    [
      "in an element of a list of values",
      { before: { a: ["x"] }, after: { a: ["x", secret] }, afterSensitive: { a: [false, true] } },
    ],
    [
      "no longer sensitive in an element that changes its place",
      {
        before: { a: [{ b: secret }, { b: "x" }] },
        after: { a: [{ b: "y" }, { b: "z" }, { b: secret }] },
        beforeSensitive: { a: [{ b: true }, {}] },
      },
    ],
    [
      "no longer sensitive in a list of values",
      {
        before: { a: [secret, "x"] },
        after: { a: ["y", secret] },
        beforeSensitive: { a: [true, false] },
      },
    ],
    ["the whole resource", { before: { a: secret }, after: { a: `${secret}2` }, ...both(true) }],
    [
      "known later",
      {
        before: { a: secret },
        after: {},
        afterUnknown: { a: true },
        ...both({ a: true }),
      },
    ],
  ])("%s", (_, parts) => {
    const text = JSON.stringify(attributeChanges(change(parts)));
    expect(text).toContain("(sensitive)");
    expect(text).not.toContain(secret);
  });

  function both(mask: unknown): Partial<PlannedChange> {
    return { beforeSensitive: mask, afterSensitive: mask };
  }
});
