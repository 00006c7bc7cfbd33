// What the real Terraform does with declarations that the kit refuses: here they are made without the check.
import { DynamicValue, implementFunction, providerRoutes } from "../../../../src/core/provider-kit";
import type { ResourceImplementation } from "../../../../src/core/provider-kit/server/implementation";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  type Attributes,
  block,
  type Blocks,
  computed,
  type Declaration,
  optional,
  provider,
  providerFunction,
  resource,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const text = optional(t.string(), { doc });
const any = optional(t.dynamic(), { doc });
const secret = optional(t.string(), { doc, writeOnly: true });
const named = (wire: string): Attributes => ({ it: optional(t.string(), { doc, wire }) });
const repeated = (attributes: Attributes) => block.list({ attributes }, { doc });

const unchecked = (attributes: Attributes, blocks: Blocks = {}): Declaration => ({
  ...resource("shop_it", { doc, attributes: {} }),
  attributes,
  blocks,
});

const settings = provider("shop", { doc, attributes: {} });

const projects: TerraformProject[] = [];

/** A resource whose attribute `found` has this value. */
const implementationOf = (
  declaration: Declaration,
  found?: unknown,
): ResourceImplementation<null> => ({
  declaration,
  create: (plan) => Promise.resolve("found" in plan ? { ...plan, found } : plan),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(plan),
  delete: () => Promise.resolve(),
});

async function projectOf(declaration: Declaration, found?: unknown): Promise<TerraformProject> {
  const project = await TerraformProject.open({
    source: "example.test/tools/shop",
    routes: providerRoutes({
      declaration: settings,
      configure: () => null,
      resources: [implementationOf(declaration, found)],
    }),
  });
  projects.push(project);
  return project;
}

afterEach(async () => {
  for (const project of projects.splice(0)) await project.close();
});

const json = (body: object): object => ({ resource: { shop_it: { a: body } } });

test.each([
  "count",
  "for_each",
  "provider",
  "depends_on",
  "lifecycle",
  "connection",
  "provisioner",
])("Terraform does not give the attribute %s to the provider", async (name) => {
  const project = await projectOf(unchecked(named(name)));
  await project.write(json({ [name]: "a" }));
  await expect(project.validate()).rejects.toThrow("validate failed");
});

test.each<[string, Declaration, object | string, string]>([
  ["a name with a digit first", unchecked({ "2fa": text }), '2fa = "a"', "definition required"],
  ["the attribute `_`", unchecked({ _: text }), { _: "a" }, "Incorrect JSON value type"],
  ["the attribute `locals`", unchecked({ locals: text }), { locals: "a" }, "Incorrect JSON value"],
  ["the block `dynamic`", unchecked({}, { dynamic: repeated({ text }) }), "dynamic {}", "dynamic"],
  [
    "a block in capitals",
    unchecked({}, { b: block.set({ attributes: {} }, { doc, wire: "B" }) }),
    "",
    "B: name",
  ],
  ["a name that is taken", unchecked({ ...named("text"), text }), 'text = "a"', "missing"],
  [
    "an attribute and a block of one name",
    unchecked(named("part"), { part: repeated({ text }) }),
    "",
    "defined as both attribute and child block",
  ],
  [
    "more blocks than allowed",
    unchecked({}, { part: { ...repeated({ text }), min: 2, max: 1 } }),
    "",
    "MinItems must be less than or equal to MaxItems",
  ],
  ["dynamic in a repeated block", unchecked({}, { part: repeated({ any }) }), "", "part"],
  [
    "dynamic in a set of blocks",
    unchecked({}, { part: block.set({ attributes: { any } }, { doc }) }),
    "",
    "may not contain attributes of cty.DynamicPseudoType",
  ],
  [
    "dynamic in a set of objects",
    unchecked({ a: optional(t.set(t.object({ any })), { doc }) }),
    "",
    "may not contain attributes of cty.DynamicPseudoType",
  ],
  [
    "write-only in a set",
    unchecked({ a: optional(t.set(t.object({ secret })), { doc }) }),
    "",
    "may not contain WriteOnly attributes",
  ],
])("Terraform cannot use %s", async (_name, declaration, body, message) => {
  const project = await projectOf(declaration);
  await project.write(
    typeof body === "string" ? `resource "shop_it" "a" {\n${body}\n}` : json(body),
  );
  await expect(project.validate()).rejects.toThrow(message);
});

test.each([t.list(t.dynamic()), t.map(t.dynamic()), t.set(t.dynamic())])(
  "Terraform crashes at values of several types in one collection of dynamic values (%j)",
  async (type) => {
    const values = { a: DynamicValue.of("a"), b: DynamicValue.of(1) };
    const found = type.kind === "map" ? values : Object.values(values);
    const project = await projectOf(unchecked({ found: computed(type, { doc }) }), found);
    await project.write(json({}));
    await expect(project.apply()).rejects.toThrow("apply failed");
    expect(await project.resources()).toEqual({});
  },
);

test.each([Infinity, -Infinity, NaN])(
  "a result with %d is the provider's fault, and the resource is kept",
  async (found) => {
    const declaration = resource("shop_it", {
      doc,
      attributes: { found: computed(t.number(), { doc }) },
    });
    const project = await projectOf(declaration, found);
    await project.write(json({}));
    await expect(project.apply()).rejects.toThrow(
      new RegExp(String.raw`${String(found)} is not a number in Terraform\s+This is a bug`),
    );
    expect(await project.resources()).toEqual({ "shop_it.a": { found: null } });
  },
);

test("two declarations of one type or name are refused", () => {
  const one = implementationOf(resource("shop_it", { doc, attributes: {} }));
  const same = implementFunction(
    providerFunction("f", { summary: doc, doc, parameters: {}, returns: t.string() }),
  )(() => "f");
  const shop = { declaration: settings, configure: () => null, resources: [] };
  expect(() => providerRoutes({ ...shop, resources: [one, one] })).toThrow(
    'the provider "shop" has two declarations of "shop_it" in `resources`',
  );
  expect(() => providerRoutes({ ...shop, functions: [same, same] })).toThrow(
    'the provider "shop" has two declarations of "f" in `functions`',
  );
});
