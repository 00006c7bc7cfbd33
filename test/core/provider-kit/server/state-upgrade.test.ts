import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  implement,
  known,
  providerRoutes,
  type ResourceHandlers,
  type ResourceImplementation,
  upgradeFrom,
  upgradeFromJson,
} from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  block,
  computed,
  optional,
  provider,
  required,
  resource,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const part = { attributes: { size: required(t.integer(), { doc }) } };

/** How the first release declared it. */
const toolV0 = resource("shop_tool", {
  doc,
  attributes: {
    title: required(t.string(), { doc }),
    serial: optional(t.integer(), { doc }),
    toolId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
  blocks: { part: block.list(part, { doc }) },
});

const toolV1 = resource("shop_tool", {
  doc,
  version: 1,
  attributes: { label: required(t.string(), { doc }), toolId: computed(t.string(), { doc }) },
});

const tool = resource("shop_tool", {
  doc,
  version: 2,
  attributes: {
    toolName: required(t.string(), { doc }),
    serial: optional(t.integer(), { doc }),
    sizes: optional(t.list(t.integer()), { doc }),
    toolId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
});

const source = "example.test/tools/shop";

const routesOf = (implementation: ResourceImplementation<null>) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources: [implementation],
    dataSources: [],
  });

const first = implement(toolV0)<null>({
  create: (plan) => Promise.resolve(known({ ...plan, toolId: "t-1" })),
  read: (state) => Promise.resolve(state),
  update: (plan, state) => Promise.resolve(known({ ...plan, toolId: state.toolId })),
  delete: () => Promise.resolve(),
});

const handlers: ResourceHandlers<typeof tool, null> = {
  create: () => Promise.reject(new Error("must not create")),
  read: (state) => Promise.resolve(state),
  update: () => Promise.reject(new Error("must not update")),
  delete: () => Promise.resolve(),
};

const fromV0 = upgradeFrom(toolV0, ({ title, serial, toolId, part: parts }) => ({
  toolName: title,
  serial,
  sizes: parts.map(({ size }) => size),
  toolId,
}));

const configurationV0 = `
  resource "shop_tool" "saw" {
    title  = "saw"
    serial = 123456789012345678901234567890
    part { size = 3 }
    part { size = 4 }
  }`;

/** The state that the first release wrote, in Terraform's own file. */
async function stateOfFirstRelease(): Promise<string> {
  const project = await TerraformProject.open({ source, routes: routesOf(first) });
  try {
    await project.write(configurationV0);
    await project.apply();
    return await readFile(join(project.folder, "terraform.tfstate"), "utf8");
  } finally {
    await project.close();
  }
}

/** Plans a configuration of the current release with a state. */
async function planned(
  upgrades: ResourceHandlers<typeof tool, null>["upgrades"],
  configuration: string,
  edit: (state: string) => string = (state) => state,
) {
  const current = implement(tool)<null>({ ...handlers, ...(upgrades && { upgrades }) });
  const project = await TerraformProject.open({ source, routes: routesOf(current) });
  try {
    const state = edit(await stateOfFirstRelease());
    await writeFile(join(project.folder, "terraform.tfstate"), state);
    await project.write(configuration);
    return (await project.plan()).changes.get("shop_tool.saw");
  } finally {
    await project.close();
  }
}

const configuration = `
  resource "shop_tool" "saw" {
    tool_name = "saw"
    serial    = 123456789012345678901234567890
    sizes     = [3, 4]
  }`;

test("terraform plans no change for a state that an earlier release wrote", async () => {
  expect(await planned([fromV0], configuration)).toMatchObject({
    action: "no-op",
    before: { tool_name: "saw", sizes: [3, 4], id: "t-1" },
  });
});

test("an upgrade can read plain JSON", async () => {
  const upgrade = upgradeFromJson(0, (state) => ({
    toolName: String(state["title"]),
    serial: null,
    sizes: null,
    toolId: String(state["id"]),
  }));
  const change = await planned([upgrade], `resource "shop_tool" "saw" { tool_name = "saw" }`);
  expect(change).toMatchObject({ action: "no-op", before: { tool_name: "saw", id: "t-1" } });
});

test("each version has its own upgrade", async () => {
  const fromV1 = upgradeFrom(toolV1, ({ label, toolId }) => ({
    toolName: label,
    serial: null,
    sizes: null,
    toolId,
  }));
  const change = await planned(
    [fromV0, fromV1],
    `resource "shop_tool" "saw" { tool_name = "axe" }`,
    (state) => {
      const edited = JSON.parse(state) as { resources: [{ instances: [Record<string, unknown>] }] };
      const [instance] = edited.resources[0].instances;
      instance["schema_version"] = 1;
      instance["attributes"] = { label: "axe", tool_id: "t-7" };
      return JSON.stringify(edited);
    },
  );
  expect(change).toMatchObject({ action: "no-op", before: { tool_name: "axe", id: "t-7" } });
});

test("a state without an upgrade is refused", async () => {
  await expect(planned(undefined, configuration)).rejects.toThrow(
    /State From Another Provider Version: .*schema version 0, but this provider supports version 2/,
  );
});

test("a state from before an attribute was removed is upgraded without it", async () => {
  const withFormer = (state: string) => state.replace('"title"', '"former": [{"a": 1}], "title"');
  const change = await planned([fromV0], configuration, withFormer);
  expect(change).toMatchObject({ action: "no-op" });
});

test.each<[string, (state: string) => string, RegExp]>([
  ["an unknown attribute", (state) => state.replace('"title"', '"name"'), /attribute "name"/],
  ["a wrong type", (state) => state.replace('"title": "saw"', '"title": [1]'), /title: expected a/],
])("a state with %s is refused, and names its place", async (_name, edit, message) => {
  const refusal: unknown = await planned([fromV0], configuration, edit).catch((e: unknown) => e);
  expect(String(refusal)).toMatch(
    /Unreadable State: The state of shop_tool does not match its schema version 0/,
  );
  expect(String(refusal)).toMatch(message);
});

test("an upgrade that breaks its own schema is the provider's fault", async () => {
  const upgrade = upgradeFromJson(0, () => ({ toolName: 7 }) as never);
  await expect(planned([upgrade], configuration)).rejects.toThrow(
    /Value Does Not Match The Schema/,
  );
});

test.each([
  ["the current version", [upgradeFromJson(2, () => ({}) as never)], "below the declaration's 2"],
  ["one version twice", [fromV0, fromV0], "two upgrades convert from version 0"],
])("upgrades from %s are refused when the resource is implemented", (_name, upgrades, message) => {
  expect(() => implement(tool)<null>({ ...handlers, upgrades })).toThrow(message);
});
