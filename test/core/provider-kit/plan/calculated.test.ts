// Terraform itself calculates numbers that no double represents, with a provider that runs in this process.
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
  block,
  computed,
  optional,
  optionalComputed,
  required,
  resource,
  t,
} from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const row = {
  share: required(t.number(), { doc }),
  id: computed(t.string(), { doc, useStateForUnknown: true }),
};
const meter = resource("shop_meter", {
  doc,
  attributes: {
    ratio: optional(t.number(), { doc, requiresReplace: true }),
    ratios: optional(t.list(t.number()), { doc }),
    shares: optional(t.set(t.number()), { doc }),
    rates: optional(t.map(t.number()), { doc }),
    rows: optional(t.list(t.object(row)), { doc }),
    group: optional(t.set(t.object(row)), { doc }),
    fallback: optionalComputed(t.number(), { doc }),
    weight: optional(t.float32(), { doc }),
    count: optional(t.int32(), { doc, wire: "size" }),
    price: optional(t.decimal(), { doc }),
    big: optional(t.integer(), { doc }),
    version: computed(t.integer(), { doc }),
  },
  blocks: {
    part: block.list({ attributes: row }, { doc }),
    bit: block.set({ attributes: row }, { doc }),
  },
});

let received: unknown[] = [];
let version: number | bigint = 0;
let project: TerraformProject;

const rowsOf = <R extends { share: number }>(rows: readonly R[]) =>
  rows.map((each) => ({ ...each, id: `of ${each.share}` }));

const made: ResourceHandlers<typeof meter, null>["create"] = (plan) => {
  received.push(plan.ratio, plan.weight, plan.price);
  return Promise.resolve(
    known({
      ...plan,
      rows: plan.rows && rowsOf(plan.rows),
      group: plan.group && rowsOf(plan.group),
      part: rowsOf(plan.part),
      bit: rowsOf(plan.bit),
      fallback: typeof plan.fallback === "number" ? plan.fallback : 0.5,
      version,
    }),
  );
};

const half = providerFunction("half", {
  summary: "Half",
  doc,
  parameters: { of: parameter(t.float32(), { doc }), more: parameter(t.int32(), { doc }) },
  returns: t.number(),
});

beforeEach(async () => {
  received = [];
  version = 1;
  project = await openShop({
    resources: [
      implement(meter)<null>({
        create: made,
        // As a service does that knows only doubles, in an order of its own.
        read: (state) =>
          Promise.resolve({
            ...state,
            shares: state.shares?.toReversed() ?? null,
            bit: state.bit.toReversed(),
          }),
        update: (plan, _state, context) => made(plan, context),
        delete: () => Promise.resolve(),
      }),
    ],
    functions: [implementFunction(half)(({ of, more }) => of / 2 + more)],
  });
});

afterEach(async () => {
  await project.close();
});

const write = (body: string): Promise<void> =>
  project.write(`resource "shop_meter" "it" {\n${body}\n}`);

const action = async (): Promise<string | undefined> =>
  (await project.plan()).changes.get("shop_meter.it")?.action;

const calculated = [
  ["1 - 0.99", 0.01],
  ["10 / 3", 10 / 3],
  ["1 / 3", 1 / 3],
  ["1e23", 1e23],
  ["3.4e38", 3.4e38],
  ["123456789.123456789", 123456789.12345679],
  ["340282346638528860000000000000000000000", 3.4028234663852886e38],
  ["9007199254740993", 9007199254740992],
  ["-2 / 3", -2 / 3],
  ["1e308 * 1.5", 1.5e308],
] as const;

test.each(calculated)(
  "%s reaches the handler as the nearest double, and stays",
  async (text, double) => {
    await write(`
    ratio  = ${text}
    ratios = [1, ${text}, ${text}]
    shares = [${text}, 7, 1 / 7]
    rates  = { a = ${text}, b = 2 }
    rows   = [{ share = 1 / 9 }, { share = ${text} }]
    group  = [{ share = ${text} }, { share = 1 / 7 }, { share = 5 }]
    price  = ${text}
    fallback = ${text}
    part { share = ${text} }
    bit { share = ${text} }
    bit { share = 1 / 7 }`);
    await project.apply();
    expect(received[0]).toBe(double);
    expect(await action()).toBe("no-op");
    // A moved, a grown and a shrunk list.
    await write(`
    ratio  = ${text}
    ratios = [${text}]
    shares = [1 / 7, ${text}]
    rows   = [{ share = ${text} }, { share = 1 / 9 }, { share = 2 / 9 }]
    group  = [{ share = 1 / 7 }, { share = ${text} }]
    part { share = 5 / 9 }
    part { share = ${text} }
    bit { share = ${text} }`);
    await project.apply();
    expect(await action()).toBe("no-op");
  },
);

test("a number with the same nearest double plans no change, and another one does", async () => {
  await write("ratio = 0.01\nratios = [0.01, 1]\nrows = [{ share = 0.01 }]");
  await project.apply();
  await write("ratio = 1 - 0.99\nratios = [1 - 0.99, 1]\nrows = [{ share = 1 - 0.99 }]");
  expect(await action()).toBe("no-op");
  await write("ratio = 0.01\nratios = [1 - 0.99, 2]\nrows = [{ share = 1 - 0.99 }]");
  expect(await action()).toBe("update");
  await project.apply();
  expect(await action()).toBe("no-op");
  await write("ratio = 0.02");
  expect(await action()).toBe("replace");
});

test.each(["1e309", "-1e309", "1e-400"])("%s is out of the range of a double", async (text) => {
  await write(`ratio = ${text}`);
  await expect(project.plan()).rejects.toThrow(/ratio: must be a 64-bit number/);
});

test("a number of 32 bits is rounded to one, and refused out of range", async () => {
  await write("weight = 0.1\nsize = -2147483648");
  await project.apply();
  expect(received[1]).toBe(Math.fround(0.1));
  expect((await project.resources())["shop_meter.it"]).toMatchObject({ weight: 0.1 });
  expect(await action()).toBe("no-op");
  await write("weight = 340282346638528859811704183484516925440");
  await project.apply();
  expect(await action()).toBe("no-op");
  await write("weight = 3.5e38");
  await expect(project.plan()).rejects.toThrow(/weight: must be a 32-bit number of at most 3.4e38/);
  await write("size = 2147483648");
  await expect(project.plan()).rejects.toThrow(
    /size: must be an integer from -2147483648 to 2147483647/,
  );
  await write("size = 1.5");
  await expect(project.plan()).rejects.toThrow(/size: must be an integer/);
});

test("functions take and refuse calculated numbers, and those of 32 bits", async () => {
  const call = async (args: string) => {
    await project.write(`output "it" { value = provider::shop::half(${args}) }`);
    await project.apply();
    return (await project.outputs())["it"];
  };
  expect(await call("1 / 4, 1")).toBe(1.125);
  expect(await call("1 / 3, 0")).toBe(Math.fround(1 / 3) / 2);
  await expect(call("1e39, 1")).rejects.toThrow(/32-bit number/);
  await expect(call("1, 2147483648")).rejects.toThrow(/must be an integer from/);
});

test("an integer that Terraform keeps stays, and a result that it cannot keep is refused", async () => {
  await write(`big = ${10n ** 152n + 1n}\nprice = 10 / 3`);
  await project.apply();
  expect(received[2]).toMatch(/^3\.3{150,153}2$/);
  expect(await action()).toBe("no-op");
  version = 10n ** 200n + 1n;
  await write("big = 5");
  await expect(project.apply()).rejects.toThrow(
    /must have at most 153 digits, because Terraform rounds/,
  );
});
