// Terraform itself calculates and stores these numbers, with a provider that runs in this process.
import {
  implement,
  implementFunction,
  known,
  parameter,
  providerFunction,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  computed,
  optional,
  optionalComputed,
  resource,
  rule,
  t,
} from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const positive = rule("must be positive", (z) =>
  z
    .unknown()
    .check(z.refine((value) => typeof value === "bigint" && value > 0n, "must be positive")),
);
const account = resource("shop_account", {
  doc,
  attributes: {
    price: optional(t.decimal(), { doc, requiresReplace: true }),
    prices: optional(t.map(t.decimal()), { doc }),
    rates: optional(t.set(t.decimal()), { doc }),
    fee: optionalComputed(t.decimal(), { doc, default: "0.10" }),
    number: optional(t.int64(positive), { doc }),
    numbers: optional(t.list(t.int64()), { doc }),
    one: optional(
      t.object({
        id: optional(t.int64(), { doc }),
        pin: optional(t.int64(), { doc, sensitive: true }),
        sum: computed(t.decimal(), { doc }),
      }),
      { doc },
    ),
    limit: optionalComputed(t.int64(), { doc, default: 5n }),
    total: computed(t.decimal(), { doc }),
    serial: computed(t.int64(), { doc }),
  },
});

const long = `0.${"123456789".repeat(17)}`;
const biggest = 2n ** 63n - 1n;

let received: unknown[] = [];
let total = "0.30";
let serial = biggest;
let project: TerraformProject;

const made: ResourceHandlers<typeof account, null>["create"] = (plan) => {
  const { price, prices, rates, fee, number, numbers, one, limit } = plan;
  received.push(price, prices, rates, fee, number, numbers, one?.id, limit);
  return Promise.resolve(known({ ...plan, one: one && { ...one, sum: "1.50" }, total, serial }));
};

const difference = providerFunction("difference", {
  summary: "A difference",
  doc,
  parameters: {
    from: parameter(t.int64(), { doc }),
    taken: parameter(t.int64(), { doc }),
  },
  returns: t.int64(),
});

beforeEach(async () => {
  received = [];
  total = "0.30";
  serial = biggest;
  project = await openShop({
    resources: [
      implement(account)<null>({
        create: made,
        read: (state) => Promise.resolve(state),
        update: (plan, _state, context) => made(plan, context),
        delete: () => Promise.resolve(),
      }),
    ],
    functions: [implementFunction(difference)(({ from, taken }) => from - taken)],
  });
});

afterEach(async () => {
  await project.close();
});

const planned = async (body: string) => {
  await project.write(`resource "shop_account" "it" {\n${body}\n}`);
  return (await project.plan()).changes.get("shop_account.it");
};

const body = (price: string): string => `
  price   = ${price}
  prices  = { a = 0.1, b = "1e3", c = ${long} }
  rates   = [0.5, "0.50", 1.0, -0.0]
  number  = ${biggest}
  numbers = [1, ${-(2n ** 63n)}]
  one     = { id = 9007199254740993 }`;

test("decimals reach handlers as exact text, and 64-bit integers as bigints", async () => {
  await project.write(`resource "shop_account" "it" {\n${body("0.1 + 0.2")}\n}`);
  await project.apply();
  expect(received).toEqual([
    "0.3",
    { a: "0.1", b: "1000", c: long },
    expect.arrayContaining(["0.5", "1", "0"]),
    "0.1",
    biggest,
    [1n, -(2n ** 63n)],
    9007199254740993n,
    5n,
  ]);
  expect(received[2]).toHaveLength(3);
});

test("Terraform stores what the handler returns, in any notation, without a change afterwards", async () => {
  total = "00.3000";
  expect((await planned(body("0.3")))?.action).toBe("create");
  await project.apply();
  const { output } = await project.run("state", "pull");
  expect(output).toMatch(/"total": 0\.3\n/);
  expect(output).toMatch(/"sum": 1\.5\n/);
  expect(output).toContain(`"c": ${long}`);
  expect(output).toMatch(/"serial": 9223372036854775807,/);
  expect(output).toMatch(/"fee": 0\.1,/);
  for (const same of ["0.3", '"0.30"', "3 / 10", "3e-1"]) {
    expect((await planned(body(same)))?.action).toBe("no-op");
  }
  expect(await planned(body("0.30000000000000000000000000000001"))).toMatchObject({
    action: "replace",
    replacePaths: [["price"]],
  });
});

test.each([
  [
    "number = 9223372036854775808",
    'number: must be an integer from -9223372036854775808 to 9223372036854775807 (got "9223372036854775808")',
  ],
  ["numbers = [1, 0.5]", "numbers[1]: must be an integer from -9223372036854775808 to"],
  [
    "one = { id = 1e30 }",
    'one.id: must be an integer from -9223372036854775808 to 9223372036854775807 (got "1000000000000000000000000000000")',
  ],
  ["number = -1", 'number: must be positive (got "-1")'],
])("refuses %s", async (wrong, message) => {
  await expect(planned(wrong)).rejects.toThrow(message);
});

test("does not show a sensitive value that is out of range", async () => {
  const refused = planned("one = { pin = 9223372036854775999 }");
  await expect(refused).rejects.toThrow(/one\.pin: must be an integer from -\d+ to \d+\.\s/);
});

test("a number that becomes known in apply is refused before the resource is created", async () => {
  await project.write(`
    resource "terraform_data" "big" { input = "9223372036854775808" }
    resource "shop_account" "it" { numbers = [terraform_data.big.output] }`);
  await project.plan();
  await expect(project.apply()).rejects.toThrow(/numbers\[0\]: must be an integer from/);
  expect(received).toEqual([]);
});

test.each([
  ["an integer that is out of range", () => (serial = 2n ** 63n), "serial"],
  ["text that is no number", () => (total = "cheap"), "total"],
  ["more digits than Terraform keeps", () => (total = `${long}9999`), "total"],
])("a handler that returns %s is at fault, at its path", async (_name, falsify, path) => {
  falsify();
  await project.write('resource "shop_account" "it" {}');
  await expect(project.apply()).rejects.toThrow(
    new RegExp(
      `Value Does Not Match The Schema: ${path}: .*\\s+This is a bug in the provider`,
      "s",
    ),
  );
});

test("functions calculate with 64-bit integers", async () => {
  await project.write(
    `output "it" { value = provider::shop::difference(${biggest}, 1) == ${biggest - 1n} }`,
  );
  await project.apply();
  expect(await project.outputs()).toEqual({ it: true });
  await project.write(`output "it" { value = provider::shop::difference(${biggest}, -1) }`);
  await expect(project.apply()).rejects.toThrow("expected a 64-bit integer");
});
