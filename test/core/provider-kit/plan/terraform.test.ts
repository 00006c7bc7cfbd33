// Terraform itself decides on these plans, with a provider that runs in this process.
import {
  DynamicValue,
  implement,
  known,
  providerRoutes,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { block, computed, optional, provider, resource, t } from "../../../../src/core/schema";

const doc = "x";
const inner = {
  key: optional(t.string(), { doc, requiresReplace: true }),
  note: optional(t.string(), { doc }),
};
const crate = resource("shop_crate", {
  doc,
  attributes: {
    weight: optional(t.number(), { doc }),
    weights: optional(t.list(t.number()), { doc }),
    given: optional(t.dynamic(), { doc }),
    found: computed(t.dynamic(), { doc }),
    one: optional(t.object(inner), { doc }),
    rows: optional(t.list(t.object(inner)), { doc }),
    byName: optional(t.map(t.object(inner)), { doc }),
    crateId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
  blocks: { part: block.list({ attributes: inner }, { doc }) },
});

let received: unknown[] = [];
let found: DynamicValue | null = null;

const handlers: ResourceHandlers<typeof crate, null> = {
  create: (plan) => {
    received.push(plan.weight, ...(plan.weights ?? []));
    return Promise.resolve(known({ ...plan, found, crateId: "c" }));
  },
  read: (state) => Promise.resolve(state),
  update: (plan, state) => Promise.resolve(known({ ...plan, found, crateId: state.crateId })),
  delete: () => Promise.resolve(),
};

let project: TerraformProject;

beforeEach(async () => {
  received = [];
  found = null;
  const definition = {
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources: [implement(crate)<null>(handlers)],
    dataSources: [],
  };
  project = await TerraformProject.open({
    source: "example.test/tools/shop",
    routes: providerRoutes(definition),
  });
});

afterEach(async () => {
  await project.close();
});

const crateOf = (body: string): string => `resource "shop_crate" "it" {\n${body}\n}`;

const planned = async (body: string) => {
  await project.write(crateOf(body));
  return (await project.plan()).changes.get("shop_crate.it");
};

const everywhere = (value: string): string => `
  one     = { ${value} }
  rows    = [{ ${value} }]
  by_name = { a = { ${value} } }
  part { ${value} }`;

test("nested values appear in place if they have no replacing value, and replace with one", async () => {
  await project.write(crateOf(""));
  await project.apply();
  expect(await planned(everywhere('note = "n"'))).toMatchObject({
    action: "update",
    replacePaths: [],
  });
  const withKey = await planned(everywhere('key = "k"'));
  expect(withKey?.action).toBe("replace");
  expect(withKey?.replacePaths.map((path) => path.join(".")).sort()).toEqual([
    "by_name.a.key",
    "one.key",
    "part.0.key",
    "rows.0.key",
  ]);
  await project.apply();
  expect(await planned("")).toMatchObject({ action: "replace" });
});

test("doubles from 2^53 on reach the handler as numbers, and plan no change afterwards", async () => {
  const body = "weight = 9007199254740992\nweights = [1e21, -1208925819614629174706176, 0.1]";
  await project.write(crateOf(body));
  await project.apply();
  expect(received).toEqual([9007199254740992, 1e21, -(2 ** 80), 0.1]);
  expect((await planned(body))?.action).toBe("no-op");
});

test.each([
  "plain",
  true,
  0.1,
  2n ** 70n,
  [],
  {},
  ["a", 1, [null, true]],
  { name: "a", __proto__: null, inner: { list: [1, "b"], none: null } },
])("a handler can compute the dynamic value %p, which then does not change", async (value) => {
  found = DynamicValue.of(value);
  await project.write(crateOf(""));
  await project.apply();
  const stored = (await project.resources())["shop_crate.it"]?.["found"];
  expect(stored).toEqual(typeof value === "bigint" ? Number(value) : value);
  expect((await planned(""))?.action).toBe("no-op");
  expect((await planned("weight = 1"))?.action).toBe("update");
  await project.apply();
});

test("a handler can return the dynamic value that it received", async () => {
  const body = 'given = { a = [1, "b"], c = null }';
  await project.write(crateOf(body));
  await project.apply();
  expect((await project.resources())["shop_crate.it"]).toMatchObject({
    given: { a: [1, "b"], c: null },
  });
  expect((await planned(body))?.action).toBe("no-op");
});

test("Terraform has no type for a function", () => {
  expect(() => DynamicValue.of({ run: () => undefined } as never)).toThrow(
    "Terraform has no type for function",
  );
});
