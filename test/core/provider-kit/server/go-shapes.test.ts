// Shapes that providers in Go have, and that existing configurations need: Terraform itself decides.
import { implement, known, type ResourceHandlers } from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { block, computed, optional, required, resource, t } from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const point = {
  gridX: required(t.number(), { doc }),
  label: optional(t.string(), { doc }),
};
const spot = resource("shop_spot", {
  doc,
  attributes: {
    place: required(t.plainObject(point), { doc }),
    others: optional(t.list(t.plainObject(point)), { doc }),
    seen: computed(t.list(t.plainObject({ at: computed(t.string(), { doc }) })), { doc }),
  },
});
const crew = resource("shop_crew", {
  doc,
  attributes: { etag: computed(t.string(), { doc }) },
  blocks: {
    member: block.set(
      { attributes: { name: required(t.string(), { doc }) } },
      {
        doc,
        semanticEquals: (one, other) => namesOf(one) === namesOf(other),
      },
    ),
  },
});

const namesOf = (members: readonly { readonly name: string }[]): string =>
  JSON.stringify(members.map(({ name }) => name.toLowerCase()).toSorted());

let updates = 0;
let served = (name: string): string => name;
let project: TerraformProject;

type Spots = ResourceHandlers<typeof spot, null>;
type Crews = ResourceHandlers<typeof crew, null>;

const spots: Spots = {
  create: (plan) => Promise.resolve(known({ ...plan, seen: [{ at: "noon" }] })),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(known({ ...plan, seen: [{ at: "night" }] })),
  delete: () => Promise.resolve(),
};

const crews: Crews = {
  create: (plan) =>
    Promise.resolve(
      known({
        ...plan,
        etag: "1",
        member: plan.member.map(({ name }) => ({ name: served(name) })),
      }),
    ),
  read: (state) =>
    Promise.resolve({ ...state, member: state.member.map(({ name }) => ({ name: served(name) })) }),
  update: (plan) => {
    updates++;
    return Promise.resolve(known({ ...plan, etag: "2" }));
  },
  delete: () => Promise.resolve(),
};

beforeEach(async () => {
  updates = 0;
  served = (name) => name;
  project = await openShop({
    resources: [implement(spot)<null>(spots), implement(crew)<null>(crews)],
  });
});

afterEach(async () => {
  await project.close();
});

const spotOf = (values: string): string => `resource "shop_spot" "it" {\n${values}\n}`;

test("a plain object is planned and stored, and each of its members is written", async () => {
  await project.write(
    spotOf(`place = { grid_x = 1, label = null }
      others = [{ grid_x = 2, label = "b" }]`),
  );
  await project.apply();
  expect(await project.resources()).toMatchObject({
    "shop_spot.it": {
      place: { grid_x: 1, label: null },
      others: [{ grid_x: 2, label: "b" }],
      seen: [{ at: "noon" }],
    },
  });
  expect((await project.plan()).changes.get("shop_spot.it")?.action).toBe("no-op");

  await project.write(spotOf(`place = { grid_x = 3, label = "c" }`));
  expect((await project.plan()).changes.get("shop_spot.it")).toMatchObject({
    action: "update",
    after: { place: { grid_x: 3, label: "c" }, others: null },
  });
  await project.apply();
});

test.each([
  ["{}", 'attributes "grid_x" and "label" are required'],
  ["{ grid_x = 1 }", 'attribute "label" is required'],
  ["{ grid_x = null, label = null }", "must be set"],
])("Terraform or the kit refuses the plain object %s", async (value, message) => {
  await project.write(spotOf(`place = ${value}`));
  await expect(project.plan()).rejects.toThrow(message);
});

const crewOf = (...names: readonly string[]): string =>
  `resource "shop_crew" "it" {\n${names.map((name) => `member { name = "${name}" }`).join("\n")}\n}`;

test("a set of blocks from the service that means the same is neither drift nor a wrong result", async () => {
  served = (name) => name.toUpperCase();
  await project.write(crewOf("Ada", "Bob"));
  await project.apply();
  expect(await project.resources()).toMatchObject({
    "shop_crew.it": { member: [{ name: "Ada" }, { name: "Bob" }] },
  });
  expect((await project.plan()).changes.get("shop_crew.it")?.action).toBe("no-op");

  // Another name is drift.
  served = () => "eve";
  expect((await project.plan()).changes.get("shop_crew.it")?.action).toBe("update");
  expect(updates).toBe(0);
});

test("what is configured is planned as it is written", async () => {
  await project.write(crewOf("Ada"));
  await project.apply();
  await project.write(crewOf("ada"));
  await project.apply();
  expect(updates).toBe(1);
  expect(await project.resources()).toMatchObject({
    "shop_crew.it": { member: [{ name: "ada" }] },
  });
});
