// Two elements of a set that a default makes equal: Terraform judges what the kit plans.
import { implement, known, type ResourceHandlers } from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  block,
  check,
  computed,
  optional,
  optionalComputed,
  required,
  resource,
  t,
} from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const item = {
  label: required(t.string(), { doc }),
  mode: optionalComputed(t.string(), { doc, default: "rw" }),
};
const bag = resource("shop_bag", {
  doc,
  attributes: {
    items: optional(t.set(t.object(item)), { doc }),
    nested: optional(t.set(t.object({ tags: required(t.set(t.object(item)), { doc }) })), { doc }),
    power: optional(t.number(), { doc }),
    etag: computed(t.string(), { doc }),
  },
  blocks: { part: block.set({ attributes: item }, { doc }) },
});

const handlers: ResourceHandlers<typeof bag, null> = {
  create: (plan) => Promise.resolve(known({ ...plan, etag: "1" })),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(known({ ...plan, etag: "2" })),
  delete: () => Promise.resolve(),
};

let project: TerraformProject;

beforeEach(async () => {
  project = await openShop({ resources: [implement(bag)<null>(handlers)] });
});

afterEach(async () => {
  await project.close();
});

const bagOf = (values: string): string => `
  resource "terraform_data" "mode" { input = "rw" }
  resource "shop_bag" "it" {
    ${values}
  }`;

const refusal = "has two elements that are equal once their defaults are filled in";

test.each([
  ["items", `items = [{ label = "a" }, { label = "a", mode = "rw" }]`],
  ["nested[0].tags", `nested = [{ tags = [{ label = "a", mode = "rw" }, { label = "a" }] }]`],
  ["nested", `nested = [{ tags = [{ label = "a" }] }, { tags = [{ label = "a", mode = "rw" }] }]`],
])(
  "two elements of %s are an error of the configuration, not of the provider",
  async (at, values) => {
    await project.write(bagOf(values));
    const plan = project.plan();
    await expect(plan).rejects.toThrow(refusal);
    await expect(plan).rejects.not.toThrow("bug in the provider");
    await expect(plan).rejects.toThrow(at.split("[")[0] ?? at);
  },
);

test("a value that is known late makes them equal: the apply is refused in the same words", async () => {
  await project.write(
    bagOf(`items = [{ label = "a" }, { label = "a", mode = terraform_data.mode.output }]`),
  );
  await expect(project.apply()).rejects.toThrow(refusal);
});

test("elements that differ in more than their defaults stay two", async () => {
  await project.write(bagOf(`items = [{ label = "a" }, { label = "a", mode = "ro" }]`));
  await project.apply();
  expect((await project.plan()).changes.get("shop_bag.it")?.action).toBe("no-op");
  // The same element twice is one, as in Terraform.
  expect(check(bag, { items: [{ label: "a" }, { label: "a" }] })).toEqual([]);
});

test("blocks of a set are planned as one, which Terraform accepts", async () => {
  await project.write(
    bagOf(`part {
      label = "a"
    }
    part {
      label = "a"
      mode  = "rw"
    }`),
  );
  await project.apply();
  expect(await project.resources()).toMatchObject({
    "shop_bag.it": { part: [{ label: "a", mode: "rw" }] },
  });
  expect((await project.plan()).changes.get("shop_bag.it")?.action).toBe("no-op");
});

test("a power that a double holds and the same number in digits arrive as the same bytes", async () => {
  // Terraform compares numbers by their digits at their own precision, of which the provider sees nothing.
  await project.write(bagOf(`power = pow(2, 600)`));
  await expect(project.plan()).rejects.toThrow("does not match config value");
  await project.write(bagOf(`power = ${2n ** 600n}`));
  await project.apply();
  expect((await project.plan()).changes.get("shop_bag.it")?.action).toBe("no-op");
});
