// Terraform itself evaluates what depends on these values while they are unknown.
import {
  implement,
  type PlanModification,
  type ResourceHandlers,
  type StateOf,
} from "../../../../src/core/provider-kit";
import { compile } from "../../../../src/core/provider-kit/cty/codec";
import { ctyTypeOf } from "../../../../src/core/provider-kit/plan/cty-type";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  block,
  computed,
  optional,
  required,
  resource,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";
import { plan } from "./planning";
import { openShop } from "../shop-project";

const doc = "x";
const thing = resource("shop_thing", {
  doc,
  attributes: {
    size: optional(t.integer(), { doc }),
    thingId: computed(t.string(), { doc, wire: "id", neverNull: true }),
    numbers: computed(t.list(t.integer()), { doc, neverNull: true }),
    maybe: computed(t.string(), { doc }),
    rows: optional(
      t.list(
        t.object({
          label: required(t.string(), { doc }),
          code: computed(t.string(), { doc, neverNull: true }),
        }),
      ),
      { doc },
    ),
  },
  blocks: {
    part: block.set(
      {
        attributes: {
          label: required(t.string(), { doc }),
          code: computed(t.string(), { doc, neverNull: true }),
        },
      },
      { doc },
    ),
  },
});

type Thing = StateOf<typeof thing>;
type Handlers = ResourceHandlers<typeof thing, null>;

let wrong: object = {};
let modification: object = {};
let project: TerraformProject;

const made: Handlers["create"] = ({ size, rows, part }) => {
  const coded = ({ label }: { readonly label: string }) => ({ label, code: `code ${label}` });
  const state: Thing = {
    size,
    thingId: `thing-${String(size)}`,
    numbers: [1],
    maybe: null,
    rows: rows?.map(coded) ?? null,
    part: part.map(coded),
  };
  return Promise.resolve({ ...state, ...wrong });
};

beforeEach(async () => {
  wrong = {};
  modification = {};
  project = await openShop({
    resources: [
      implement(thing)<null>({
        plan: () => modification,
        create: made,
        read: (state) => Promise.resolve({ ...state, ...wrong }),
        update: (planned, _state, context) => made(planned, context),
        delete: () => Promise.resolve(),
      }),
    ],
  });
});

afterEach(async () => {
  await project.close();
});

const withCount = (condition: string): string => `
  resource "shop_thing" "it" {
    size = 1
    rows = [{ label = "a" }]
    part { label = "b" }
  }
  resource "terraform_data" "after" { count = ${condition} ? 1 : 2 }`;

const afterwards = async (condition: string) => {
  await project.write(withCount(condition));
  const { changes } = await project.plan();
  return [...changes.keys()].filter((address) => address.startsWith("terraform_data")).length;
};

test.each([
  "shop_thing.it.id == null",
  "shop_thing.it.numbers == null",
  "shop_thing.it.rows[0].code == null",
])("%s is false while the value is unknown", async (condition) => {
  expect(await afterwards(condition)).toBe(2);
  await project.apply();
  expect(await afterwards(condition)).toBe(2);
});

test("a value that can be null decides nothing while it is unknown", async () => {
  await expect(afterwards("shop_thing.it.maybe == null")).rejects.toThrow("Invalid count argument");
});

test("values stay unknown in an update, and an unchanged configuration has no change", async () => {
  await project.write(withCount("true"));
  await project.apply();
  expect((await project.plan()).changes.get("shop_thing.it")?.action).toBe("no-op");
  await project.write(withCount("shop_thing.it.id == null").replace("size = 1", "size = 2"));
  const { changes } = await project.plan();
  expect(changes.get("shop_thing.it")).toMatchObject({ action: "update" });
  expect(changes.get("shop_thing.it")?.after).not.toHaveProperty("id");
  await project.apply();
  expect((await project.resources())["shop_thing.it"]).toMatchObject({ id: "thing-2" });
});

test.each([
  ["id", { thingId: null }],
  ["rows\\[0\\].code", { rows: [{ label: "a", code: null }] }],
  ["part\\[0\\].code", { part: [{ label: "b", code: null }] }],
])("a handler that returns null for %s is at fault", async (path, value) => {
  wrong = value;
  await project.write(withCount("true"));
  const message = new RegExp(
    `returned null for ${path} of shop_thing, which is\\s+declared as never null`,
  );
  await expect(project.apply()).rejects.toThrow(message);
});

test("a read that returns null is at fault, and so is a plan", async () => {
  await project.write(withCount("true"));
  await project.apply();
  wrong = { thingId: null };
  await expect(project.plan()).rejects.toThrow("returned null for id of shop_thing");
  wrong = {};
  modification = { thingId: null };
  await expect(project.plan()).rejects.toThrow(/sets id, which is declared as\s+never null/);
});

test("an unknown value is encoded with the refinement, everything else as usual", async () => {
  const small = resource("x_small", {
    doc,
    attributes: {
      a: computed(t.string(), { doc, neverNull: true }),
      b: computed(t.string(), { doc }),
    },
  });
  const codec = compile(ctyTypeOf(small));
  const hex = (values: Parameters<typeof codec.encode>[0]) =>
    Buffer.from(codec.encode(values)).toString("hex");
  const { planned } = await plan(small, {});
  expect(hex(planned)).toBe("82a161c7030c8101c2a162d40000");
  expect(hex({ a: "x", b: null })).toBe("82a161a178a162c0");
  expect(codec.decode(codec.encode(planned))).toEqual({ a: UNKNOWN, b: UNKNOWN });
});

test("the compiler knows it", () => {
  const id: Thing["thingId"] = "x";
  // @ts-expect-error - never null
  const none: Thing["thingId"] = null;
  // @ts-expect-error - never null
  const planned: PlanModification<typeof thing> = { rows: [{ code: null }] };
  expect([id, none, planned]).toHaveLength(3);
});
