// Terraform itself decides on null elements, kept null, and keys of maps that are equal but not the same text.
import { implement, known, type PlanOf, type StateOf } from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  check,
  computed,
  optional,
  required,
  resource,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";
import { declare, plan } from "./planning";
import { openShop } from "../shop-project";

const doc = "x";
const named = t.object({
  note: optional(t.string(), { doc }),
  serial: computed(t.string(), { doc }),
});
const bag = resource("shop_bag", {
  doc,
  attributes: {
    list: optional(t.list(t.nullable(t.string())), { doc }),
    numbers: optional(t.list(t.nullable(t.number())), { doc }),
    set: optional(t.set(t.nullable(t.string())), { doc }),
    tags: optional(t.map(t.nullable(t.string())), { doc }),
    plain: optional(t.map(t.string()), { doc }),
    rows: optional(t.list(t.nullable(named)), { doc }),
    byName: optional(t.map(named), { doc }),
    owner: computed(t.string(), { doc, useStateForUnknown: true }),
  },
});

/** As macOS names files. */
const decomposed = <V>(map: Readonly<Record<string, V>> | null) =>
  map &&
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key.normalize("NFD"), value]));

const made = (planned: PlanOf<typeof bag>): Promise<StateOf<typeof bag>> =>
  Promise.resolve(
    known({
      ...planned,
      tags: decomposed(planned.tags),
      rows: planned.rows?.map((row) => row && { ...row, serial: "s" }) ?? null,
      byName:
        planned.byName &&
        decomposed(
          Object.fromEntries(
            Object.entries(planned.byName).map(([key, each]) => [key, { ...each, serial: key }]),
          ),
        ),
      owner: null,
    }),
  );

let project: TerraformProject;

beforeEach(async () => {
  project = await openShop({
    resources: [
      implement(bag)<null>({
        create: made,
        read: (state) => Promise.resolve({ ...state, tags: decomposed(state.tags) }),
        update: (planned) => made(planned),
        delete: () => Promise.resolve(),
      }),
    ],
  });
});

afterEach(async () => {
  await project.close();
});

const planned = async (body: string) => {
  await project.write(`resource "shop_bag" "it" {\n${body}\n}`);
  return (await project.plan()).changes.get("shop_bag.it");
};

const body = `
  list    = ["a", null, "b"]
  numbers = [null, 1 / 3]
  set     = ["a", null]
  tags    = { "café" = "x", b = null }
  rows    = [{ note = "n" }, null]
  by_name = { "__proto__" = { note = "n" }, "café" = {}, constructor = {} }`;

test("elements can be null, and keys of maps in another normal form are the same", async () => {
  await planned(body);
  await project.apply();
  expect((await project.resources())["shop_bag.it"]).toMatchObject({
    list: ["a", null, "b"],
    tags: { b: null },
    rows: [{ note: "n", serial: "s" }, null],
  });
  expect((await planned(body))?.action).toBe("no-op");
  expect(await planned(`${body}\n plain = {}`)).toMatchObject({
    action: "update",
    after: { owner: null },
    afterUnknown: { by_name: { constructor: { serial: true } } },
  });
  await project.apply();
  expect(await planned("list = [null]\ntags = {}\nrows = [null, {}]")).toMatchObject({
    action: "update",
  });
  await project.apply();
  expect((await planned("list = [null]\ntags = {}\nrows = [null, {}]"))?.action).toBe("no-op");
});

test("an element that is not declared as such must not be null", async () => {
  await expect(planned("plain = { a = null }")).rejects.toThrow(/plain.a: must not be null/);
  expect(check(bag, { plain: { a: null } })).toHaveLength(1);
  expect(check(bag, { tags: { a: null }, list: [null] })).toEqual([]);
});

const kept = declare({
  name: required(t.string(), { doc }),
  path: computed(t.string(), { doc, useStateForUnknown: true }),
  found: computed(t.string(), { doc, useStateForUnknown: true, neverNull: true }),
});
test("a value that was null stays so, unless it is declared as never null", async () => {
  const state = { name: "a", path: null, found: null };
  const { planned: values } = await plan(kept, { name: "b" }, state);
  expect(values).toMatchObject({ path: null, found: UNKNOWN });
});
