import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  implement,
  known,
  ProviderError,
  providerRoutes,
  type ResourceHandlers,
  type StateOf,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  startProvider,
  TerraformProject,
  WireValues,
} from "../../../../src/core/provider-kit/testing";
import {
  block,
  check,
  computed,
  optional,
  preferWriteOnly,
  provider,
  required,
  resource,
  stringRule,
  t,
} from "../../../../src/core/schema";
import { unzipped } from "../../../unzipped";

const doc = "x";
const settings = provider("shop", { doc, attributes: {} });
const lowercase = stringRule([[/^[a-z-]+$/, "must be lowercase letters"]]);
const inner = {
  label: optional(t.string(), { doc }),
  pin: optional(t.string(), { doc, writeOnly: true }),
};
const safe = resource("shop_safe", {
  doc,
  attributes: {
    password: required(t.string(lowercase), { doc, writeOnly: true }),
    passwordVersion: optional(t.integer(), { doc }),
    one: optional(t.object(inner), { doc }),
    rows: optional(t.list(t.object(inner)), { doc }),
    byName: optional(t.map(t.object(inner)), { doc }),
    whole: optional(t.object({ pin: required(t.string(), { doc }) }), { doc, writeOnly: true }),
    all: optional(t.list(t.object({ codes: optional(t.map(t.string()), { doc }) })), {
      doc,
      writeOnly: true,
    }),
    oldPin: optional(t.string(), { doc, sensitive: true }),
    safeId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
  blocks: { door: block.list({ attributes: inner }, { doc }) },
  rules: [preferWriteOnly("oldPin", "password")],
});

type Handlers = ResourceHandlers<typeof safe, unknown>;

const password = "write-only-password";

let received: unknown[] = [];

const handlers: Handlers = {
  create: (plan, { config }) => {
    received.push(config);
    return Promise.resolve(known({ ...plan, safeId: "s" }));
  },
  read: (state) => Promise.resolve(state),
  update: (plan, state, { config }) => {
    received.push(config);
    return Promise.resolve(known({ ...plan, safeId: state.safeId }));
  },
  delete: () => Promise.resolve(),
};

const routesOf = (given: Partial<Handlers> = {}) =>
  providerRoutes({
    declaration: settings,
    configure: () => null,
    resources: [implement(safe)<unknown>({ ...handlers, ...given })],
  });

const opened: TerraformProject[] = [];

beforeEach(() => {
  received = [];
});

afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function openProject(given?: Partial<Handlers>): Promise<TerraformProject> {
  const source = "example.test/tools/shop";
  const project = await TerraformProject.open({ source, routes: routesOf(given) });
  opened.push(project);
  return project;
}

/** The value comes from a variable, so that the configuration does not contain it. */
const configurationOf = (version: number): string => `
  variable "password" {
    type      = string
    ephemeral = true
  }
  resource "shop_safe" "one" {
    password         = var.password
    password_version = ${version}
    one              = { label = "a", pin = var.password }
    rows             = [{ pin = var.password }]
    by_name          = { b = { pin = var.password } }
    whole            = { pin = var.password }
    all              = [{ codes = { a = var.password } }, {}]
    door {
      label = "c"
      pin   = var.password
    }
  }`;

const given = `-var=password=${password}`;

test("the value reaches the handlers, but neither the plan nor the state", async () => {
  const project = await openProject();
  await project.write(configurationOf(1));
  await project.plan(given);
  const applied = await project.run("apply", "-no-color", "-input=false", given, "plan.bin");
  expect(applied).toMatchObject({ code: 0, errors: "" });
  expect(received).toMatchObject([
    {
      password,
      one: { label: "a", pin: password },
      rows: [{ label: null, pin: password }],
      byName: { b: { pin: password } },
      whole: { pin: password },
      all: [{ codes: { a: password } }, { codes: null }],
      door: [{ label: "c", pin: password }],
    },
  ]);
  expect((await project.resources())["shop_safe.one"]).toMatchObject({
    password: null,
    one: { label: "a", pin: null },
    whole: null,
    all: null,
    door: [{ label: "c", pin: null }],
  });
  const names = await readdir(project.folder);
  expect(names).toEqual(expect.arrayContaining(["plan.bin", "terraform.tfstate"]));
  for (const name of names.filter((each) => each !== ".terraform")) {
    const bytes = await readFile(join(project.folder, name));
    for (const content of [bytes, ...unzipped(bytes)]) {
      expect([name, content.includes(password)]).toEqual([name, false]);
    }
  }
});

test("another value alone plans no change, and with another version an update in place", async () => {
  const project = await openProject();
  await project.write(configurationOf(1));
  await project.apply(given);
  const other = "-var=password=another";
  expect((await project.plan(other)).changes.get("shop_safe.one")?.action).toBe("no-op");
  await project.write(configurationOf(2));
  expect((await project.plan(other)).changes.get("shop_safe.one")).toMatchObject({
    action: "update",
    replacePaths: [],
  });
  await project.apply(other);
  expect(received).toMatchObject([{ password }, { password: "another" }]);
});

test("a rule checks the value without showing it", async () => {
  const project = await openProject();
  await project.write(`resource "shop_safe" "one" { password = "Upper-Case" }`);
  const refusal: unknown = await project.plan().catch((error: unknown) => error);
  expect(String(refusal)).toContain("password: must be lowercase letters");
  expect(String(refusal)).not.toContain("Upper-Case");
  await project.write(`resource "shop_safe" "one" {}`);
  await expect(project.plan()).rejects.toThrow("password");
});

test("the value is redacted from messages", async () => {
  const project = await openProject({
    create: (_plan, { config }) =>
      Promise.reject(
        new ProviderError({ summary: "Refused", detail: `The password is ${config.password}.` }),
      ),
  });
  await project.write(configurationOf(1));
  await expect(project.apply(given)).rejects.toThrow("The password is ***.");
});

test("a client that would store the value is refused, at each attribute", async () => {
  const client = await startProvider(routesOf());
  try {
    const config = {
      password,
      one: { pin: password },
      rows: [{}, { pin: password }],
      byName: { b: { pin: password } },
      whole: { pin: password },
      all: [],
      door: [{ label: "c" }, { pin: password }],
    };
    const call = { typeName: "shop_safe", config: new WireValues(safe).encode(config) };
    const { diagnostics } = await client.validateResourceConfig(call);
    expect(diagnostics.map(({ summary, detail }) => `${summary}: ${detail.split(" ")[0]}`)).toEqual(
      ["password", "one.pin", "rows[1].pin", "byName.b.pin", "whole", "all", "door[1].pin"].map(
        (path) => `Write-only Attribute Not Supported: ${path.replace("byName", "by_name")}`,
      ),
    );
    expect(JSON.stringify(diagnostics)).not.toContain(password);
    expect(await createTerraformHarness(client).resource(safe).validate(config)).toEqual([]);
  } finally {
    client.close();
  }
});

test("a rule names the write-only attribute, if Terraform has such attributes", async () => {
  const project = await openProject();
  await project.write(`resource "shop_safe" "one" {
    password = "secret-word"
    old_pin  = "1"
  }`);
  expect(await project.validate()).toMatchObject([
    {
      severity: "warning",
      detail: expect.stringContaining(
        "old_pin: is stored in the state; set the write-only `password` instead",
      ) as string,
    },
  ]);
  // Before the version of Terraform is known, and with an older one, nobody is warned.
  expect(check(safe, { password: "secret-word", oldPin: "1" })).toEqual([]);
  const client = await startProvider(routesOf());
  try {
    const config = new WireValues(safe).encode({ password: null, oldPin: "1" });
    const { diagnostics } = await client.validateResourceConfig({ typeName: "shop_safe", config });
    expect(diagnostics.map(({ severity }) => severity)).toEqual(["ERROR"]);
  } finally {
    client.close();
  }
});

test("the harness accepts and checks it as terraform does", async () => {
  const client = await startProvider(routesOf());
  try {
    const harness = createTerraformHarness(client);
    await harness.configure(settings);
    const safes = harness.resource(safe);
    const config = { password, door: [{ pin: password }] };
    const { stored, diagnostics } = await safes.deploy(config);
    expect(diagnostics).toEqual([]);
    expect(stored?.state).toMatchObject({ password: null, door: [{ pin: null }] });
    expect((await safes.plan({ ...config, password: "b" }, stored)).action).toBe("no-op");
  } finally {
    client.close();
  }
});

test("only the configuration has the type of the value", () => {
  implement(safe)<unknown>({
    ...handlers,
    create: (plan, { config }) => {
      const text: string = config.password;
      const inPlan: null = plan.password;
      // @ts-expect-error a state cannot contain the value
      const stored: StateOf<typeof safe> = { ...known({ ...plan, safeId: "s" }), password: text };
      return Promise.resolve({ ...stored, password: inPlan });
    },
  });
});
