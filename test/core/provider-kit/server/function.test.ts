import {
  DynamicValue,
  FunctionError,
  type FunctionImplementation,
  implementFunction,
  ProviderError,
  providerRoutes,
  UNKNOWN,
} from "../../../../src/core/provider-kit";
import { startProvider, TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  computed,
  optional,
  parameter,
  provider,
  providerFunction,
  required,
  rule,
  stringRule,
  t,
  variadic,
} from "../../../../src/core/schema";
import { evaluate } from "../../../evaluate";

const doc = "x";
const summary = "x";
const lowercase = stringRule([[/^[a-z]+$/, "must be lowercase letters"]]);

const shout = implementFunction(
  providerFunction("shout", {
    summary,
    doc,
    parameters: { theText: parameter(t.string(lowercase), { doc }) },
    returns: t.string(),
  }),
)(({ theText }) => theText.toUpperCase());

const join = implementFunction(
  providerFunction("join", {
    summary,
    doc,
    parameters: {
      separator: parameter(t.string(), { doc, allowNull: true }),
      parts: variadic(t.string(lowercase), { doc }),
    },
    returns: t.string(),
  }),
)(({ separator, parts }) => {
  if (separator === "!") {
    throw new FunctionError({ message: "must not be an exclamation mark", path: ["separator"] });
  }
  const place = parts.indexOf("bad");
  if (place >= 0) throw new FunctionError({ message: "must not be bad", path: ["parts", place] });
  return parts.join(separator ?? "-");
});

const measure = implementFunction(
  providerFunction("measure", {
    summary,
    doc,
    parameters: {
      box: parameter(
        t.object({
          boxName: required(t.string(lowercase), { doc }),
          sizes: required(t.list(t.number()), { doc }),
          label: optional(t.string(), { doc }),
        }),
        { doc },
      ),
    },
    returns: t.object({
      boxName: computed(t.string(), { doc }),
      label: computed(t.string(), { doc }),
      largest: computed(t.number(), { doc }),
    }),
  }),
)(({ box }) => {
  if (box.sizes.length === 0) {
    throw new FunctionError({ message: "must not be empty", path: ["box", "sizes"] });
  }
  return { boxName: box.boxName, label: box.label, largest: Math.max(...box.sizes) };
});

const isKnown = implementFunction(
  providerFunction("is_known", {
    summary,
    doc,
    parameters: { value: parameter(t.dynamic(), { doc, allowNull: true, allowUnknown: true }) },
    returns: t.bool(),
  }),
)(({ value }) => (value === UNKNOWN ? UNKNOWN : value !== null));

const wrap = implementFunction(
  providerFunction("wrap", {
    summary,
    doc,
    parameters: { big: parameter(t.integer(), { doc }) },
    returns: t.dynamic(),
  }),
)(({ big }) => Promise.resolve(DynamicValue.of({ doubled: BigInt(big) * 2n })));

const nothing = implementFunction(
  providerFunction("nothing", { summary, doc, parameters: {}, returns: t.list(t.string()) }),
)(() => null);

const broken = implementFunction(
  providerFunction("broken", {
    summary,
    doc,
    parameters: { how: parameter(t.string(), { doc }) },
    returns: t.number(),
  }),
)(({ how }) => {
  if (how === "provider error") {
    throw new ProviderError({ summary: "No Steel", detail: "There is none." });
  }
  if (how === "unknown") return UNKNOWN as never;
  if (how === "type") return "seven" as never;
  throw new Error("out of order");
});

const functions: readonly FunctionImplementation[] = [
  shout,
  join,
  measure,
  isKnown,
  wrap,
  nothing,
  broken,
];

const routes = () =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => Promise.reject(new Error("functions need no configuration")),
    resources: [],
    functions,
  });

let project: TerraformProject;

beforeAll(async () => {
  project = await TerraformProject.open({ source: "example.test/tools/shop", routes: routes() });
});

afterAll(async () => {
  await project.close();
});

/** What Terraform says about an expression, in one line. */
async function refusal(expression: string, more = ""): Promise<string> {
  await project.write(`${more}
    output "result" {
      value     = ${expression}
      sensitive = true
    }`);
  const { code, errors } = await project.run("plan", "-no-color", "-input=false");
  expect(code).toBe(1);
  return errors.replaceAll(/[╷│╵]/g, " ").replaceAll(/\s+/g, " ");
}

test.each([
  [`provider::shop::shout("tea")`, "TEA"],
  [`provider::shop::join("+", "a", "b", "c")`, "a+b+c"],
  [`provider::shop::join(null, "a", "b")`, "a-b"],
  [`provider::shop::join("+")`, ""],
  [
    `provider::shop::measure({ box_name = "a", sizes = [1, 9007199254740992], label = null })`,
    { box_name: "a", label: null, largest: 9007199254740992 },
  ],
  [`provider::shop::is_known({ a = [1, "x"] })`, true],
  [`provider::shop::is_known(null)`, false],
  [`tostring(provider::shop::wrap(9007199254740993).doubled)`, "18014398509481986"],
  [`provider::shop::nothing() == null`, true],
])("terraform evaluates %s", async (expression, value) => {
  expect(await evaluate(project, expression)).toEqual(value);
});

test("an unknown argument makes the result unknown, unless the function accepts it", async () => {
  await project.write(`
    resource "terraform_data" "one" {}
    output "shout" { value = provider::shop::shout(terraform_data.one.id) }
    output "known" { value = provider::shop::is_known(terraform_data.one.id) }
  `);
  const { output } = await project.run("plan", "-no-color", "-input=false");
  expect(output).toMatch(/\+ shout += \(known after apply\)/);
  expect(output).toMatch(/\+ known += \(known after apply\)/);
});

test.each([
  [`provider::shop::shout("Tea")`, `"the_text" parameter: must be lowercase letters`],
  [`provider::shop::shout(null)`, `"the_text" parameter: argument must not be null`],
  [`provider::shop::join("!", "a")`, `"separator" parameter: must not be an exclamation mark`],
  [`provider::shop::join("+", "a", "B")`, `"parts" parameter: must be lowercase letters`],
  [`provider::shop::join("+", "a", "bad")`, `"parts" parameter: must not be bad`],
  [
    `provider::shop::measure({ box_name = "A", sizes = [1], label = null })`,
    `"box" parameter: box_name: must be lowercase letters`,
  ],
  [
    `provider::shop::measure({ box_name = null, sizes = [1], label = null })`,
    `"box" parameter: box_name: must be set`,
  ],
  [
    `provider::shop::measure({ box_name = "a", sizes = [], label = null })`,
    `"box" parameter: sizes: must not be empty`,
  ],
  [
    `provider::shop::measure({ box_name = "a", sizes = [1e309], label = null })`,
    `"box" parameter: sizes[0]: must be a 64-bit number of at most 1.8e308`,
  ],
  [`provider::shop::broken("provider error")`, "failed: No Steel: There is none"],
  [
    `provider::shop::broken("throw")`,
    "failed: broken failed: Error: out of order. This is a bug in the provider",
  ],
  [`provider::shop::broken("unknown")`, "the result is unknown although all arguments are known"],
  [`provider::shop::broken("type")`, "expected a number"],
  [`provider::shop::missing("a")`, `function "missing" is not available`],
])("terraform reports the error of %s at the argument", async (expression, message) => {
  expect(await refusal(expression)).toContain(message);
});

test("an error never shows the value, which may be sensitive", async () => {
  const more = `variable "pin" {
    default   = "Secret123"
    sensitive = true
  }`;
  const text = await refusal("provider::shop::shout(var.pin)", more);
  expect(text).toContain("must be lowercase letters");
  expect(text).not.toContain("Secret123");
});

test("another client than Terraform gets errors for a wrong number of arguments and an unknown name", async () => {
  const client = await startProvider(routes());
  try {
    const { error } = await client.callFunction({ name: "shout", arguments: [] });
    expect(error).toMatchObject({ text: "shout takes 1 argument (got 0)" });
    const many = await client.callFunction({
      name: "join",
      arguments: [{ json: Buffer.from("null") }, { json: Buffer.from('"A"') }],
    });
    expect(many.error).toMatchObject({ text: "must be lowercase letters", functionArgument: 1 });
    const unknown = await client.callFunction({ name: "gone" });
    expect(unknown.error?.text).toContain('The provider "shop" has no function "gone"');
    const { functions: separate } = await client.getFunctions({});
    const { functions: together } = await client.getProviderSchema({});
    expect(separate).toEqual(together);
    const { functions: names } = await client.getMetadata({});
    expect(names.map(({ name }) => name)).toEqual(functions.map((each) => each.declaration.name));
  } finally {
    client.close();
  }
});

test.each([
  ["Shout", {}, "must start with a lowercase letter"],
  [
    "join",
    { parts: variadic(t.string(), { doc }), separator: parameter(t.string(), { doc }) },
    "the variadic parameter parts must be the last one",
  ],
])("a declaration %s that Terraform would refuse is refused", (name, parameters, message) => {
  const body = { summary, doc, parameters, returns: t.string() };
  expect(() => providerFunction(name, body)).toThrow(message);
});

test("the handler's types follow from the declaration", () => {
  const declared = providerFunction("typed", {
    summary,
    doc,
    parameters: {
      first: parameter(t.integer(rule("must be 1", (z) => z.unknown())), { doc }),
      rest: variadic(t.bool(), { doc }),
    },
    returns: t.string(),
  });
  // @ts-expect-error a number is not a string
  implementFunction(declared)(({ first }) => first);
  // @ts-expect-error the result is unknown only if an argument may be
  implementFunction(declared)(() => UNKNOWN);
  // @ts-expect-error there is no such parameter
  implementFunction(declared)(({ second }) => String(second));
  implementFunction(declared)(({ first, rest }) => {
    const value: number | bigint = first;
    const values: readonly boolean[] = rest;
    return `${value} ${values.length}`;
  });
});
