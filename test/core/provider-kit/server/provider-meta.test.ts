// Terraform itself sends the blocks of modules, to a provider that runs in this process.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  implement,
  implementDataSource,
  known,
  providerRoutes,
  type ReadMeta,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  startProvider,
  TerraformProject,
} from "../../../../src/core/provider-kit/testing";
import {
  computed,
  dataSource,
  optional,
  provider,
  providerMeta,
  required,
  resource,
  stringRule,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const meta = providerMeta("shop", {
  doc: "Who wrote the module.",
  attributes: {
    moduleName: required(t.string(stringRule([[/^[a-z-]+$/, "must be lowercase letters"]])), {
      doc,
    }),
    revision: optional(t.int64(), { doc }),
  },
});
const otherMeta = providerMeta("shop", { doc, attributes: {} });
const thing = resource("shop_thing", {
  doc,
  attributes: { size: optional(t.integer(), { doc }), etag: computed(t.string(), { doc }) },
});
const found = dataSource("shop_found", {
  doc,
  attributes: { module: computed(t.string(), { doc }) },
});

let seen: string[] = [];
let declared: typeof meta | typeof otherMeta = meta;
let project: TerraformProject;

const note = (call: string, read: ReadMeta): void => {
  const values = read(declared);
  const name = values && "moduleName" in values ? values.moduleName : "";
  const revision = values && "revision" in values ? values.revision : undefined;
  seen.push(`${call} ${values === undefined ? "nothing" : String(name)} ${String(revision)}`);
};

const handlers: ResourceHandlers<typeof thing, null> = {
  plan(_draft, context) {
    note("plan", context.meta);
    return {};
  },
  create(plan, context) {
    note("create", context.meta);
    return Promise.resolve(known({ ...plan, etag: "e" }));
  },
  read(state, context) {
    note("read", context.meta);
    return Promise.resolve(state);
  },
  update(plan, _state, context) {
    note("update", context.meta);
    return Promise.resolve(known({ ...plan, etag: "e" }));
  },
  delete(_state, context) {
    note("delete", context.meta);
    return Promise.resolve();
  },
};

const definition = {
  declaration: provider("shop", { doc, attributes: {} }),
  configure: () => null,
  providerMeta: meta,
  resources: [implement(thing)<null>(handlers)],
  dataSources: [
    implementDataSource(found)<null>({
      read(_config, context) {
        const name = context.meta(meta)?.moduleName;
        return Promise.resolve({ module: typeof name === "string" ? name : null });
      },
    }),
  ],
};

beforeEach(async () => {
  seen = [];
  declared = meta;
  project = await TerraformProject.open({
    source: "example.test/tools/shop",
    routes: providerRoutes(definition),
  });
});

afterEach(async () => {
  await project.close();
});

const block = (body: string): string => `terraform {\n provider_meta "shop" {\n${body}\n}\n}\n`;

test("handlers read what the module says about itself", async () => {
  const said = block('module_name = "tools"\n revision = 9007199254740993');
  const body = `data "shop_found" "it" {}\noutput "module" { value = data.shop_found.it.module }\n`;
  await project.write(`${said}${body}resource "shop_thing" "it" {}`);
  await project.apply();
  await project.write(`${said}${body}resource "shop_thing" "it" { size = 1 }`);
  await project.apply();
  expect(await project.outputs()).toEqual({ module: "tools" });
  const calls = ["plan", "create", "read", "update"];
  expect(new Set(seen)).toEqual(new Set(calls.map((call) => `${call} tools 9007199254740993`)));
});

test("Terraform does not send it with a deletion (1.11.4)", async () => {
  const said = block('module_name = "tools"');
  for (const remove of [() => project.destroy(), () => project.apply()]) {
    await project.write(`${said}resource "shop_thing" "it" {}`);
    await project.apply();
    await project.write(said);
    await remove();
  }
  expect(seen.filter((each) => each.startsWith("delete"))).toEqual([
    "delete nothing undefined",
    "delete nothing undefined",
  ]);
});

test("each module has its own block, and none is no value", async () => {
  const folder = join(project.folder, "inner");
  await mkdir(folder);
  const required_providers = `shop = { source = "example.test/tools/shop" }`;
  await writeFile(
    join(folder, "main.tf"),
    `terraform {\n required_providers {\n ${required_providers}\n }\n provider_meta "shop" {\n module_name = "inner"\n }\n}
     resource "shop_thing" "it" {}`,
  );
  await project.write(`module "inner" { source = "./inner" }\nresource "shop_thing" "it" {}`);
  await project.run("init", "-input=false");
  await project.apply();
  expect(seen.filter((each) => each.startsWith("create")).sort()).toEqual([
    "create inner null",
    "create nothing undefined",
  ]);
});

test("a value that breaks a rule is refused when a handler asks for it", async () => {
  await project.write(`${block('module_name = "Tools"')}resource "shop_thing" "it" {}`);
  await expect(project.plan()).rejects.toThrow(
    /Invalid Provider Meta: The provider_meta block "shop" of the module is invalid\.\s+module_name: must be lowercase letters \(got "Tools"\)/,
  );
});

test("the harness sends the metadata of a module", async () => {
  const client = await startProvider(providerRoutes(definition));
  try {
    const values = { moduleName: "harness" };
    const terraform = createTerraformHarness(client, { meta: { declaration: meta, values } });
    await terraform.configure(definition.declaration);
    const things = terraform.resource(thing);
    const { stored } = await things.deploy({});
    await things.deploy({ size: 1 }, stored);
    const expected = ["plan", "create", "read", "update"].map((call) => `${call} harness null`);
    expect(new Set(seen)).toEqual(new Set(expected));
    expect((await terraform.dataSource(found).read({})).state).toEqual({ module: "harness" });
  } finally {
    client.close();
  }
});

test("Terraform refuses what is not declared", async () => {
  await project.write(
    block('module_name = "tools"\ncolour = "red"') + 'resource "shop_thing" "it" {}',
  );
  await expect(project.plan()).rejects.toThrow("Unsupported argument");
});

test("a handler that asks for another declaration is at fault", async () => {
  declared = otherMeta;
  await project.write('resource "shop_thing" "it" {}');
  await expect(project.plan()).rejects.toThrow(
    "context.meta takes only the declaration that the provider has as providerMeta",
  );
});
