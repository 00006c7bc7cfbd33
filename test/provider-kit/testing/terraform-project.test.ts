import {
  implement,
  providerRoutes,
  ProviderError,
  type ResourceHandlers,
} from "../../../src/provider-kit";
import { TerraformFailure, TerraformProject } from "../../../src/provider-kit/testing";
import { computed, optional, provider, required, resource, t } from "../../../src/schema";

const doc = "x";
const shop = provider("shop", { doc, attributes: {} });
const saw = resource("shop_saw", {
  doc,
  attributes: {
    name: required(t.string(), { doc, requiresReplace: true }),
    teeth: optional(t.integer(), { doc, deprecated: "count them" }),
    sawId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
  importId: ["{name}"],
});

let made = 0;

const handlers: ResourceHandlers<typeof saw, null> = {
  create: (plan) => {
    if (plan.name === "broken") throw new ProviderError({ summary: "No Steel", detail: "None." });
    made += 1;
    return Promise.resolve({ ...plan, sawId: `saw-${made}` });
  },
  read: (state) => Promise.resolve({ ...state, sawId: state.sawId ?? "found" }),
  update: (plan, state) => Promise.resolve({ ...plan, sawId: state.sawId }),
  delete: () => Promise.resolve(),
};

let project: TerraformProject;

beforeEach(async () => {
  const definition = {
    declaration: shop,
    configure: () => null,
    resources: [implement(saw)<null>(handlers)],
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

test("creates, changes, replaces and destroys with the real terraform", async () => {
  await project.write(`resource "shop_saw" "one" { name = "a" }`);
  expect((await project.plan()).changes.get("shop_saw.one")).toMatchObject({
    action: "create",
    before: undefined,
    after: { name: "a" },
  });
  await project.apply();
  const { id } = (await project.resources())["shop_saw.one"] ?? {};
  expect(id).toBe(`saw-${made}`);

  await project.write({ resource: { shop_saw: { one: { name: "a", teeth: 7 } } } });
  const plan = await project.plan();
  expect(plan.changes.get("shop_saw.one")).toMatchObject({ action: "update", replacePaths: [] });
  expect(plan.warnings).toMatchObject([{ address: "shop_saw.one", severity: "warning" }]);
  await project.apply();

  await project.write(`resource "shop_saw" "one" { name = "b" }`);
  expect((await project.plan()).changes.get("shop_saw.one")).toMatchObject({
    action: "replace",
    replacePaths: [["name"]],
  });
  await project.apply();
  expect((await project.plan()).changes.get("shop_saw.one")?.action).toBe("no-op");
  await project.destroy();
  expect(await project.resources()).toEqual({});
});

test("imports", async () => {
  await project.write(`resource "shop_saw" "one" { name = "a" }`);
  await project.import("shop_saw.one", "a");
  expect(await project.resources()).toMatchObject({ "shop_saw.one": { name: "a", id: "found" } });
});

test("reports what failed, and keeps what succeeded", async () => {
  await project.write(`
    resource "shop_saw" "good" { name = "a" }
    resource "shop_saw" "bad" {
      name       = "broken"
      depends_on = [shop_saw.good]
    }`);
  const failure: unknown = await project.apply().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TerraformFailure);
  expect(failure).toMatchObject({
    message: "apply failed\nshop_saw.bad: No Steel: None.",
    diagnostics: [{ severity: "error", summary: "No Steel", address: "shop_saw.bad" }],
  });
  expect(Object.keys(await project.resources())).toEqual(["shop_saw.good"]);
});

test("reports an invalid configuration", async () => {
  await project.write(`resource "shop_saw" "one" { nam = "a" }`);
  await expect(project.validate()).rejects.toThrow(/Unsupported argument/);
  await expect(project.plan()).rejects.toThrow(/Missing required argument/);
});
