// Elements of lists keep what the provider has computed for them, wherever they move.
import * as fc from "fast-check";
import { implement, known } from "../../../../src/core/provider-kit";
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
import { sameJson } from "../../../../src/core/schema/plan-modification";
import { apply, declare, plan, type Values } from "./planning";
import { openShop } from "../shop-project";

const doc = "x";
const row = {
  label: required(t.string(), { doc }),
  size: optional(t.integer(), { doc }),
  colour: optionalComputed(t.string(), { doc, default: "red" }),
  device: optionalComputed(t.string(), { doc }),
  serial: computed(t.string(), { doc, useStateForUnknown: true }),
  state: computed(t.string(), { doc }),
};
const shelf = declare(
  { rows: optional(t.list(t.object(row)), { doc }) },
  { part: block.list({ attributes: row }, { doc }) },
);

type Row = Record<string, unknown>;

const rowOf = (label: string, more: Values = {}): Row => ({ label, ...more });
const both = (rows: readonly Values[]): Values => ({ rows, part: rows });
const created = (label: string, index: number): Row => ({
  label,
  size: null,
  colour: "red",
  device: `device ${index}`,
  serial: `serial ${index}`,
  state: "on",
});

/** Plans new rows after others have been created, and says whose device and serial each one has. */
async function moved(before: readonly string[], after: readonly Values[]): Promise<unknown[]> {
  const { planned } = await plan(shelf, both(after), both(before.map(created)));
  const who = (rows: unknown): unknown[] =>
    (rows as readonly Row[]).map(({ device, serial }) =>
      device === UNKNOWN && serial === UNKNOWN ? "new" : `${String(device)}, ${String(serial)}`,
    );
  expect(who(planned["rows"])).toEqual(who(planned["part"]));
  return who(planned["rows"]);
}

const of = (index: number): string => `device ${index}, serial ${index}`;

test.each<[string, string[], readonly Values[], string[]]>([
  ["shifts", ["a", "b"], [rowOf("b")], [of(1)]],
  [
    "grows at the start",
    ["a", "b"],
    ["c", "a", "b"].map((each) => rowOf(each)),
    ["new", of(0), of(1)],
  ],
  ["grows at the end", ["a"], [rowOf("a"), rowOf("b")], [of(0), "new"]],
  ["grows inside", ["a", "b"], ["a", "c", "b"].map((each) => rowOf(each)), [of(0), "new", of(1)]],
  ["shrinks inside", ["a", "b", "c"], [rowOf("a"), rowOf("c")], [of(0), of(2)]],
  [
    "is in another order",
    ["a", "b", "c"],
    ["c", "a", "b"].map((each) => rowOf(each)),
    [of(2), of(0), of(1)],
  ],
  ["has another element", ["a", "b"], [rowOf("a"), rowOf("c")], [of(0), "new"]],
  ["has a changed element", ["a", "b"], [rowOf("a", { size: 2 }), rowOf("b")], ["new", of(1)]],
  ["has equal elements", ["a", "a"], [rowOf("a"), rowOf("a"), rowOf("a")], [of(0), of(1), "new"]],
  [
    "has equal elements, one of which is told apart",
    ["a", "a"],
    [rowOf("a"), rowOf("a", { device: "device 0" })],
    [of(1), of(0)],
  ],
  [
    "has an element whose default changes",
    ["a", "b"],
    [rowOf("b", { colour: "blue" }), rowOf("a", { colour: "red" })],
    ["new", of(0)],
  ],
])(
  "the elements of a list that %s keep their own values",
  async (_name, before, after, expected) => {
    expect(await moved(before, after)).toEqual(expected);
  },
);

test("a value that is not known yet leaves open which elements there will be", async () => {
  expect(await moved(["a", "b"], [rowOf("a", { size: UNKNOWN }), rowOf("b")])).toEqual([
    "new",
    of(1),
  ]);
  expect(await moved(["a", "b"], [{ label: UNKNOWN }, rowOf("a"), rowOf("b")])).toEqual([
    "new",
    "new",
    "new",
  ]);
});

test("a value that a handler has set instead of a default does not make another element of it", async () => {
  const handler = () => ({ rows: [{ colour: "blue" }, undefined], part: [{ colour: "blue" }] });
  const config = { rows: [rowOf("a"), rowOf("b")], part: [rowOf("a")] };
  const state = apply(shelf, (await plan(shelf, config, undefined, handler)).planned);
  const again = await plan(shelf, config, state, handler);
  expect(again.planned).toEqual(state);
});

test("a value that means the same is kept only at its own place, as Terraform requires", async () => {
  const policies = declare({
    rows: optional(
      t.list(
        t.object({
          policy: required(t.string(), { doc, semanticEquals: sameJson }),
          device: optionalComputed(t.string(), { doc }),
        }),
      ),
      { doc },
    ),
  });
  const prior = {
    rows: [
      { policy: "[1]", device: "one" },
      { policy: "[2]", device: "two" },
    ],
  };
  const rows = [{ policy: "[ 2 ]" }, { policy: "[  2]" }, { policy: "[ 1 ]" }];
  const { planned } = await plan(policies, { rows }, prior);
  expect(planned["rows"]).toEqual([
    { policy: "[ 2 ]", device: UNKNOWN },
    { policy: "[2]", device: "two" },
    { policy: "[ 1 ]", device: "one" },
  ]);
});

test("no element gets what another one has, and none loses what it has", async () => {
  const labels = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(labels, labels, async (before, after) => {
      const found = await moved(
        before,
        after.map((label) => rowOf(label)),
      );
      for (const label of new Set([...before, ...after])) {
        const has = after.flatMap((each, index) => (each === label ? [found[index]] : []));
        const had = before.flatMap((each, index) => (each === label ? [of(index)] : []));
        const kept = has.filter((each) => each !== "new");
        expect(had).toEqual(expect.arrayContaining(kept));
        expect(new Set(kept).size).toBe(kept.length);
        expect(kept).toHaveLength(Math.min(had.length, has.length));
      }
    }),
    { numRuns: 500, seed: 20261127 },
  );
});

test("Terraform applies lists that shift, grow, shrink and change their order", async () => {
  const disk = resource("shop_disk", {
    doc,
    attributes: { rows: optional(t.list(t.object(row)), { doc }) },
    blocks: { part: block.list({ attributes: row }, { doc }) },
  });
  const filled = <R extends { label: string; device: unknown; serial: unknown }>(
    rows: readonly R[],
  ) =>
    rows.map((each) => ({
      ...each,
      device: typeof each.device === "string" ? each.device : `device of ${each.label}`,
      serial: typeof each.serial === "string" ? each.serial : `serial of ${each.label}`,
      state: "on",
    }));
  const project = await openShop({
    resources: [
      implement(disk)<null>({
        create: (plan) =>
          Promise.resolve(known({ rows: plan.rows && filled(plan.rows), part: filled(plan.part) })),
        read: (state) => Promise.resolve(state),
        update: (plan) =>
          Promise.resolve(known({ rows: plan.rows && filled(plan.rows), part: filled(plan.part) })),
        delete: () => Promise.resolve(),
      }),
    ],
  });
  try {
    for (const labels of ["a b", "b", "c a b", "b c a", "b c c a", "c a"]) {
      const all = labels.split(" ");
      const rows = all.map((label) => `{ label = "${label}" }`).join(", ");
      const parts = all.map((label) => `part { label = "${label}" }`).join("\n");
      await project.write(`resource "shop_disk" "it" {\nrows = [${rows}]\n${parts}\n}`);
      await project.apply();
      const { rows: stored, part } = (await project.resources())["shop_disk.it"] as {
        rows: Row[];
        part: Row[];
      };
      expect(stored).toEqual(part);
      expect(stored.map(({ device, serial }) => [device, serial])).toEqual(
        all.map((label) => [`device of ${label}`, `serial of ${label}`]),
      );
      expect((await project.plan()).changes.get("shop_disk.it")?.action).toBe("no-op");
    }
  } finally {
    await project.close();
  }
});
