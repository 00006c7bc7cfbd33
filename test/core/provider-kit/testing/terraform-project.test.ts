import {
  implement,
  known,
  providerRoutes,
  ProviderError,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import { TerraformFailure, TerraformProject } from "../../../../src/core/provider-kit/testing";
import { computed, optional, provider, required, resource, t } from "../../../../src/core/schema";

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

const handlers: ResourceHandlers<typeof saw, unknown> = {
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
    resources: [implement(saw)<unknown>(handlers)],
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

test("providers with an alias keep their own settings", async () => {
  const shopWith = provider("shop", {
    doc,
    attributes: { brand: optional(t.string(), { doc }) },
  });
  const branded = await TerraformProject.open({
    source: "example.test/tools/shop",
    routes: providerRoutes({
      declaration: shopWith,
      configure: ({ brand }) => (typeof brand === "string" ? brand : "none"),
      resources: [
        implement(saw)<string>({
          ...handlers,
          // Long enough that each provider has been configured before the first one continues.
          create: async (plan, { client }) => {
            await allStarted();
            return known({ ...plan, sawId: client });
          },
        }),
      ],
      dataSources: [],
    }),
  });
  let started = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const allStarted = (): Promise<void> => {
    started += 1;
    if (started === 3) release();
    return released;
  };
  try {
    await branded.write(`
      provider "shop" {}
      provider "shop" {
        alias = "acme"
        brand = "acme"
      }
      provider "shop" {
        alias = "ajax"
        brand = "ajax"
      }
      resource "shop_saw" "none" { name = "a" }
      resource "shop_saw" "acme" {
        provider = shop.acme
        name     = "a"
      }
      resource "shop_saw" "ajax" {
        provider = shop.ajax
        name     = "a"
      }`);
    await branded.apply();
    expect(await branded.resources()).toMatchObject({
      "shop_saw.none": { id: "none" },
      "shop_saw.acme": { id: "acme" },
      "shop_saw.ajax": { id: "ajax" },
    });
  } finally {
    await branded.close();
  }
});

test("imports a resource by its ID", async () => {
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
