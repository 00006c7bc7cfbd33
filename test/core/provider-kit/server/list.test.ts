import {
  implement,
  implementListResource,
  type ListContext,
  type ListedResource,
  type ListHandlers,
  listResource,
  ProviderError,
  providerRoutes,
  type StateOf,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  startProvider,
  type StartedProvider,
  TerraformProject,
} from "../../../../src/core/provider-kit/testing";
import {
  computed,
  optional,
  provider,
  required,
  requiredForImport,
  resource,
  stringRule,
  t,
} from "../../../../src/core/schema";
import { assertType, type Equal } from "../../schema/type-test";
import { details, summaries } from "./protocol";

const doc = "x";

const jar = resource("shop_jar", {
  doc,
  attributes: {
    jarName: required(t.string(), { doc, requiresReplace: true }),
    size: computed(t.integer(), { doc }),
  },
  identity: { attributes: { jarName: requiredForImport(t.string(), { doc }) } },
});

const jars = listResource(jar, {
  doc: "The jars of a shelf.",
  attributes: {
    prefix: optional(t.string(stringRule([[/^[a-z]*$/, "must be lowercase letters"]])), { doc }),
    key: optional(t.string(), { doc, sensitive: true }),
  },
});

type Handlers = ListHandlers<typeof jars, null>;
type Listed = ListedResource<typeof jar>;

const keep = (values: StateOf<typeof jar>) => Promise.resolve(values);

const routesOf = (list: Handlers["list"]) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources: [
      implement(jar)<null>({
        create: ({ jarName }) => keep({ jarName, size: 1 }),
        read: keep,
        update: (_plan, state) => keep(state),
        delete: () => Promise.resolve(),
      }),
    ],
    listResources: [implementListResource(jars)<null>({ list })],
  });

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function served(list: Handlers["list"]): Promise<StartedProvider> {
  const client = await startProvider(routesOf(list));
  opened.push(client);
  await client.configureProvider({ config: { msgpack: Uint8Array.of(0x80) } });
  return client;
}

const harnessOf = async (list: Handlers["list"]) =>
  createTerraformHarness(await served(list)).listResource(jars);

const one = (jarName: string): Listed => ({
  displayName: `Jar ${jarName}`,
  identity: { jarName },
  state: { jarName, size: jarName.length },
});

async function* many(count: number, onMade: (made: number) => void = () => undefined) {
  for (let made = 1; made <= count; made += 1) {
    onMade(made);
    yield await Promise.resolve(one(`a${made}`));
  }
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

test("each result has a name, an identity, and the state if terraform wants it", async () => {
  const seen: unknown[] = [];
  const harness = await harnessOf(({ prefix }, { limit, includeResource }) => {
    seen.push([prefix, limit, includeResource]);
    return many(2);
  });
  const found = { displayName: "Jar a1", identity: { jarName: "a1" }, diagnostics: [] };
  expect((await all(harness.list({ prefix: "a" })))[0]).toEqual({ ...found, state: undefined });
  const [first, second] = await all(harness.list({}, { includeResource: true, limit: 5 }));
  expect(first).toEqual({ ...found, state: { jarName: "a1", size: 2 } });
  expect(second?.identity).toEqual({ jarName: "a2" });
  expect(seen).toEqual([
    ["a", 100, false],
    [null, 5, true],
  ]);
});

test("the kit stops at the limit, and ends the handler", async () => {
  const made: number[] = [];
  let hasEnded = false;
  const client = await served(async function* () {
    try {
      yield* many(10, (each) => made.push(each));
    } finally {
      hasEnded = true;
    }
  });
  // The client does not stop by itself.
  const request = { typeName: "shop_jar", config: { json: Buffer.from("{}") } };
  expect(await all(client.listResource({ ...request, limit: 3 }))).toHaveLength(3);
  expect(made).toEqual([1, 2, 3]);
  expect(hasEnded).toBe(true);
  expect(await all(client.listResource(request))).toHaveLength(10);
});

test("a result arrives before the next one exists", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const harness = await harnessOf(async function* () {
    yield one("a");
    await gate;
    yield one("b");
  });
  const names: string[] = [];
  for await (const { displayName } of harness.list()) {
    names.push(displayName);
    release();
  }
  expect(names).toEqual(["Jar a", "Jar b"]);
});

test("the handler waits while terraform does not read, so that memory is bounded", async () => {
  const count = 120;
  const mebibyte = 1024 * 1024;
  let made = 0;
  const harness = await harnessOf(async function* () {
    for (; made < count; made += 1) {
      yield await Promise.resolve({ ...one("a"), displayName: "x".repeat(mebibyte) });
    }
  });
  let read = 0;
  let ahead = 0;
  for await (const { displayName } of harness.list({}, { limit: count })) {
    expect(displayName).toHaveLength(mebibyte);
    read += 1;
    ahead = Math.max(ahead, made - read);
  }
  expect(read).toBe(count);
  // The client's window is 64 MiB; the rest are buffers of the connection.
  expect(ahead).toBeLessThan(80);
});

test("ending the iteration cancels the call, and the handler is told", async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const harness = await harnessOf(async function* (_config, { signal }) {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        resolve();
      });
    });
    try {
      yield one("a");
      await aborted;
    } finally {
      end();
    }
  });
  for await (const { displayName } of harness.list()) {
    expect(displayName).toBe("Jar a");
    break;
  }
  await ended;
});

test.each<[string, (context: ListContext<null>) => Promise<void>]>([
  ["ignores it", () => new Promise(() => undefined)],
  [
    "ends because of it",
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve();
        });
      }),
  ],
])("an interrupt ends the list with an error, also if the handler %s", async (_name, wait) => {
  const client = await served(async function* (_config, context) {
    yield one("a");
    await wait(context);
  });
  const harness = createTerraformHarness(client).listResource(jars);
  const found: string[] = [];
  for await (const { displayName, diagnostics } of harness.list()) {
    found.push(displayName, ...summaries(diagnostics));
    if (displayName !== "") await client.stopProvider({});
  }
  expect(found).toEqual(["Jar a", "", "ERROR - List Interrupted"]);
});

test("what fails later keeps the earlier results, and shows no secrets", async () => {
  const secret = "Very-Secret-Value";
  const harness = await harnessOf(async function* (_config, { warn }) {
    warn({ summary: "Slow", detail: `Because of ${secret}.` });
    yield await Promise.resolve({ ...one("a"), displayName: `${secret} \u001b[31m` });
    warn({ summary: "Late", detail: "x" });
    throw new ProviderError({ summary: "No Shelf", detail: `Not with ${secret}.` });
  });
  const [first, second] = await all(harness.list({ key: secret }));
  expect(first?.displayName).toMatch(/^\*\*\* /);
  expect(first?.displayName).not.toContain("\u001b");
  expect(details(first?.diagnostics ?? [])).toBe("Slow: Because of ***.");
  expect(details(second?.diagnostics ?? [])).toBe("Late: x\nNo Shelf: Not with ***.");
});

test.each<[string, Partial<Listed>, RegExp]>([
  ["no state", { state: undefined }, /Missing Resource State: The provider listed a shop_jar/],
  ["a wrong identity", { identity: { jarName: 5 as never } }, /Does Not Match The Schema/],
  ["a wrong state", { state: { jarName: 5 } as never }, /Does Not Match The Schema/],
])("a result with %s is a bug of the provider", async (_name, wrong, message) => {
  const harness = await harnessOf(async function* () {
    yield await Promise.resolve({ ...one("a"), ...wrong });
  });
  const [event] = await all(harness.list({}, { includeResource: true }));
  expect(details(event?.diagnostics ?? [])).toMatch(message);
  expect(details(event?.diagnostics ?? [])).toContain("This is a bug in the provider");
});

test("the configuration is checked by its rules", async () => {
  const harness = await harnessOf(() => many(1));
  expect(await harness.validate({ prefix: "a" })).toEqual([]);
  expect(summaries(await harness.validate({ prefix: "A" }))).toEqual([
    "ERROR prefix Invalid Attribute Value",
  ]);
});

test("terraform learns the schema, and a list that does not exist is an error", async () => {
  const client = await served(() => many(1));
  const { listResourceSchemas } = await client.getProviderSchema({});
  const schema = listResourceSchemas["shop_jar"];
  expect(schema?.block?.attributes.map(({ name }) => name)).toEqual(["prefix", "key"]);
  expect((await client.getMetadata({})).listResources).toEqual([{ typeName: "shop_jar" }]);
  const [event] = await all(client.listResource({ typeName: "shop_gone" }));
  expect(details(event?.diagnostic ?? [])).toMatch(/Unknown List Resource Type/);
});

test("only a resource with an identity can be listed", () => {
  const plain = resource("shop_plain", { doc, attributes: {} });
  expect(() => listResource(plain, { doc, attributes: {} })).toThrow(
    "shop_plain: only a resource that declares an identity can be listed",
  );
});

test("the types of a result are those of the resource", () => {
  type Result = Handlers["list"] extends (...args: never) => AsyncIterable<infer R> ? R : never;
  assertType<Equal<Result["identity"], { readonly jarName: string }>>();
  assertType<Equal<Parameters<Handlers["list"]>[0]["prefix"], string | null>>();
  expect(implementListResource(jars)<null>({ list: () => many(1) }).declaration).toBe(jars);
});

test("a terraform that knows no lists works as before", async () => {
  const source = "example.test/tools/shop";
  const project = await TerraformProject.open({ source, routes: routesOf(() => many(1)) });
  opened.push(project);
  await project.write(`resource "shop_jar" "a" { jar_name = "a" }`);
  await project.apply();
  expect(await project.resources()).toEqual({ "shop_jar.a": { jar_name: "a", size: 1 } });
});
