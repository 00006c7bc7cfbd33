// Terraform itself decides on the plans of these handlers, with a provider that runs in this process.
import {
  implement,
  known,
  ProviderError,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { block, computed, optional, required, resource, t } from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const part = {
  partName: required(t.string(), { doc }),
  code: computed(t.string(), { doc }),
};
const machine = resource("shop_machine", {
  doc,
  attributes: {
    size: required(t.integer(), { doc }),
    isProtected: optional(t.bool(), { doc }),
    main: required(t.object(part), { doc }),
    rows: optional(t.list(t.object(part)), { doc }),
    byName: optional(t.map(t.object(part)), { doc }),
    bag: optional(t.set(t.object(part)), { doc }),
    found: computed(t.map(t.object({ code: computed(t.string(), { doc }) })), { doc }),
    build: computed(t.string(), { doc }),
  },
  blocks: { step: block.list({ attributes: part }, { doc }) },
});

type Handlers = ResourceHandlers<typeof machine, null>;

let calls: string[] = [];
let build = "1";
let planOverride: Handlers["plan"];
let project: TerraformProject;

const codeOf = (name: unknown) => (typeof name === "string" ? { code: `code ${name}` } : undefined);

/** Codes follow from the names, so a plan knows them. The service cannot shrink a machine. */
const plan: Handlers["plan"] = ({ config, prior, drafted }, { requireReplace }) => {
  if (typeof config.size !== "symbol" && prior !== undefined && config.size < prior.size) {
    requireReplace(["size"]);
  }
  if (prior !== undefined && prior.build !== build) requireReplace(["build"]);
  const named = (each: { readonly partName: unknown } | symbol) =>
    typeof each === "symbol" ? undefined : codeOf(each.partName);
  const { main, rows, byName, bag, step } = drafted;
  return {
    build,
    found: { z: { code: "last" } },
    ...(typeof main !== "symbol" && { main: named(main) }),
    ...(Array.isArray(rows) && { rows: rows.map(named) }),
    ...(Array.isArray(bag) && { bag: bag.map(named) }),
    ...(Array.isArray(step) && { step: step.map(named) }),
    ...(byName !== null &&
      typeof byName !== "symbol" && {
        byName: Object.fromEntries(Object.entries(byName).map(([key, each]) => [key, named(each)])),
      }),
  };
};

const filled = ({ partName }: { readonly partName: string }) => ({
  partName,
  code: `code ${partName}`,
});

const made: Handlers["create"] = (planned) => {
  calls.push("make");
  const { main, rows, byName, bag, step } = planned;
  return Promise.resolve(
    known({
      ...planned,
      main: filled(main),
      rows: rows?.map(filled) ?? null,
      bag: bag?.map(filled) ?? null,
      step: step.map(filled),
      byName:
        byName &&
        Object.fromEntries(Object.entries(byName).map(([key, each]) => [key, filled(each)])),
    }),
  );
};

const handlers: Handlers = {
  plan: (draft, context) => (planOverride ?? plan)(draft, context),
  planDestroy(state, { privateState, warn }) {
    calls.push(`plan destroy ${state.size}`);
    privateState.set("asked", "yes");
    if (state.isProtected === true) {
      throw new ProviderError({
        summary: "Protected Machine",
        detail: "Set is_protected to false first.",
        path: ["isProtected"],
      });
    }
    warn({ summary: "Machine Goes", detail: "It will be scrapped." });
  },
  create: made,
  read: (state) => Promise.resolve(state),
  update: (planned, _state, context) => made(planned, context),
  delete(_state, { privateState }) {
    calls.push(`delete, asked: ${privateState.get("asked") ?? "no"}`);
    return Promise.resolve();
  },
};

beforeEach(async () => {
  calls = [];
  build = "1";
  planOverride = undefined;
  project = await openShop({
    resources: [implement(machine)<null>(handlers)],
  });
});

afterEach(async () => {
  await project.close();
});

const machineOf = (size: number, more = ""): string => `
resource "terraform_data" "input" { input = "late" }
resource "shop_machine" "it" {
  size    = ${size}
  main    = { part_name = "m" }
  rows    = [{ part_name = "a" }, { part_name = terraform_data.input.output }]
  by_name = { k = { part_name = "b" } }
  bag     = [{ part_name = "c" }, { part_name = "d" }]
  step { part_name = "e" }
  ${more}
}`;

const planned = async (body: string) => {
  await project.write(body);
  return (await project.plan()).changes.get("shop_machine.it");
};

test("Terraform shows the values that a handler sets at any depth, and keeps them in apply", async () => {
  const change = await planned(machineOf(1));
  expect(change?.after).toMatchObject({
    build: "1",
    found: { z: { code: "last" } },
    main: { code: "code m" },
    rows: [{ code: "code a" }, {}],
    by_name: { k: { code: "code b" } },
    bag: [{ code: "code c" }, { code: "code d" }],
    step: [{ code: "code e" }],
  });
  await project.apply();
  expect((await project.resources())["shop_machine.it"]).toMatchObject({
    rows: [{ code: "code a" }, { code: "code late" }],
  });
  expect((await planned(machineOf(1)))?.action).toBe("no-op");
  expect(await planned(machineOf(2))).toMatchObject({
    action: "update",
    after: { main: { code: "code m" } },
  });
});

test("a handler decides whether a change replaces the resource", async () => {
  await project.write(machineOf(3));
  await project.apply();
  expect((await planned(machineOf(4)))?.action).toBe("update");
  expect(await planned(machineOf(2))).toMatchObject({
    action: "replace",
    replacePaths: [["size"]],
  });
  build = "2";
  expect(await planned(machineOf(3))).toMatchObject({
    action: "replace",
    replacePaths: [["build"]],
    after: { build: "2" },
  });
  await project.apply();
  expect(calls).toEqual(["make", "delete, asked: no", "make"]);
});

test("a handler that changes a nested configured value is at fault, at its path", async () => {
  planOverride = () => ({ rows: [{ partName: "z" }, undefined] });
  await expect(planned(machineOf(1))).rejects.toThrow(
    /Unexpected Provider Plan: The plan of shop_machine sets rows\[0\]\.part_name, which is set by the\s+configuration/,
  );
});

test("a planned destruction asks the handler, whose private state reaches delete", async () => {
  await project.write(machineOf(1));
  await project.apply();
  await project.write("");
  const { changes, warnings } = await project.plan();
  expect(changes.get("shop_machine.it")?.action).toBe("delete");
  expect(warnings).toMatchObject([{ severity: "warning", summary: "Machine Goes" }]);
  calls = [];
  await project.destroy();
  expect(new Set(calls)).toEqual(new Set(["plan destroy 1", "delete, asked: yes"]));
});

test("a handler refuses a destruction while planning", async () => {
  await project.write(machineOf(1, "is_protected = true"));
  await project.apply();
  await project.write("");
  await expect(project.plan()).rejects.toThrow(
    "Protected Machine: Set is_protected to false first.",
  );
  await project.write(machineOf(1, "is_protected = false"));
  await project.apply();
  await project.destroy();
  expect(await project.resources()).toEqual({});
});

test("Terraform does not ask for a resource that is replaced, by a change, by -replace or tainted", async () => {
  await project.write(machineOf(2, "is_protected = true"));
  await project.apply();
  calls = [];
  await project.write(machineOf(1, "is_protected = true"));
  await project.apply();
  await project.apply("-replace=shop_machine.it");
  await project.run("taint", "shop_machine.it");
  await project.apply();
  expect(calls).toEqual(Array(3).fill(["delete, asked: no", "make"]).flat());
  await project.run("taint", "shop_machine.it");
  await expect(project.destroy()).rejects.toThrow("Protected Machine");
});
