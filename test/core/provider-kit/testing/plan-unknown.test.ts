// A plan handler that decides otherwise once a value is known: the harness finds it, and Terraform refuses it.
import {
  implement,
  known,
  providerRoutes,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import { createTerraformHarness, startProvider } from "../../../../src/core/provider-kit/testing";
import { computed, provider, required, resource, t, UNKNOWN } from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const disk = {
  label: required(t.string(), { doc }),
  device: computed(t.string(), { doc, useStateForUnknown: true }),
};
const machine = resource("shop_machine", {
  doc,
  attributes: {
    size: required(t.string(), { doc }),
    disks: required(t.map(t.object(disk)), { doc }),
    serialNumber: computed(t.string(), { doc, useStateForUnknown: true }),
    price: computed(t.string(), { doc }),
  },
});

type Plan = NonNullable<ResourceHandlers<typeof machine, null>["plan"]>;

/** Forgets that the serial number depends on the size. */
const forgetful: Plan = ({ config: { size } }) =>
  size === UNKNOWN ? {} : { serialNumber: `serial of ${size}` };

/** The same number in each of the two plans, or none in the first. */
const careful: Plan = ({ config: { size } }) => ({
  serialNumber: size === UNKNOWN ? UNKNOWN : `serial of ${size}`,
});

const handlersWith = (plan: Plan) => {
  const made: ResourceHandlers<typeof machine, null>["create"] = (planned) =>
    Promise.resolve(
      known({
        ...planned,
        serialNumber: `serial of ${planned.size}`,
        price: "1",
        disks: Object.fromEntries(
          Object.entries(planned.disks).map(([key, { label }]) => [
            key,
            { label, device: `device of ${label}` },
          ]),
        ),
      }),
    );
  return implement(machine)<null>({
    plan,
    create: made,
    read: (state) => Promise.resolve(state),
    update: (planned, _state, context) => made(planned, context),
    delete: () => Promise.resolve(),
  });
};

/** Plans a change of a small machine with each value unknown once. */
async function problemsOf(plan: Plan) {
  const shop = provider("shop", { doc, attributes: {} });
  const client = await startProvider(
    providerRoutes({
      declaration: shop,
      configure: () => null,
      resources: [handlersWith(plan)],
    }),
  );
  try {
    const terraform = createTerraformHarness(client);
    await terraform.configure(shop);
    const machines = terraform.resource(machine);
    const disks = { a: { label: "a" } };
    const { stored, diagnostics } = await machines.deploy({ size: "small", disks });
    expect(diagnostics).toEqual([]);
    return await machines.planUnknown({ size: "big", disks }, stored);
  } finally {
    client.close();
  }
}

test("a value with useStateForUnknown that a handler sets later is an error with its cure", async () => {
  expect(await problemsOf(forgetful)).toMatchObject([
    {
      summary: "Provider produced inconsistent final plan",
      path: ["serial_number"],
      detail: expect.stringContaining(
        'was "serial of small", but now "serial of big". It has useStateForUnknown, so it keeps its value until the ' +
          "plan handler returns another one. Return UNKNOWN for it from the plan handler until what it depends on",
      ) as string,
    },
  ]);
});

test("a value that differs between two plans without useStateForUnknown has a cure, too", async () => {
  const [problem, ...others] = await problemsOf(({ config: { size } }) => ({
    price: size === UNKNOWN ? "0" : "1",
    serialNumber: UNKNOWN,
  }));
  expect(others).toEqual([]);
  expect(problem?.path).toEqual(["price"]);
  expect(problem?.detail).toContain(
    'was "0", but now "1". Return UNKNOWN for it from the plan handler until what it depends on',
  );
});

test("a decision about a value inside a map is found where it is", async () => {
  const problems = await problemsOf(({ config: { disks }, prior }) => ({
    serialNumber: UNKNOWN,
    disks:
      disks === UNKNOWN || prior === undefined
        ? undefined
        : Object.fromEntries(
            Object.entries(disks).flatMap(([key, each]) =>
              each === UNKNOWN ? [] : [[key, { device: each.label === UNKNOWN ? "new" : "old" }]],
            ),
          ),
  }));
  expect(problems.map(({ path }) => path)).toEqual([["disks", "a", "device"]]);
  expect(problems[0]?.detail).toContain("It has useStateForUnknown");
});

test("a handler may plan an unknown value instead of one that would be kept", async () => {
  expect(await problemsOf(careful)).toEqual([]);
  // As for the token of an agent, which a build replaces although nothing has changed.
  expect(await problemsOf(() => ({ serialNumber: UNKNOWN }))).toEqual([]);
});

test("Terraform refuses the one handler, and accepts the other", async () => {
  const written = (size: string): string => `
    resource "terraform_data" "size" { input = "${size}" }
    resource "shop_machine" "it" {
      size  = terraform_data.size.output
      disks = { a = { label = "a" } }
    }`;
  for (const [plan, refusal] of [
    [forgetful, "Provider produced inconsistent final plan"],
    [careful, undefined],
  ] as const) {
    const project = await openShop({ resources: [handlersWith(plan)] });
    try {
      await project.write(written("small"));
      await project.apply();
      await project.write(written("big"));
      const applied = project.apply();
      if (refusal === undefined) await applied;
      else await expect(applied).rejects.toThrow(refusal);
    } finally {
      await project.close();
    }
  }
});
