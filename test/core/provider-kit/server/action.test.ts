import {
  type ActionHandlers,
  implementAction,
  ProviderError,
  providerRoutes,
  UNKNOWN,
} from "../../../../src/core/provider-kit";
import {
  type ActionEvent,
  createTerraformHarness,
  startProvider,
  type StartedProvider,
  TerraformProject,
} from "../../../../src/core/provider-kit/testing";
import { action, optional, provider, required, stringRule, t } from "../../../../src/core/schema";
import { assertType, type Equal } from "../../schema/type-test";
import { details, summaries } from "./protocol";

const doc = "x";
const secret = "Very-Secret-Value";

const restart = action("shop_restart", {
  doc: "Restarts a till.",
  attributes: {
    till: required(t.string(stringRule([[/^[a-z]+$/, "must be lowercase letters"]])), { doc }),
    delay: optional(t.integer(), { doc }),
    pin: optional(t.string(), { doc, sensitive: true }),
    password: optional(t.string(), { doc, writeOnly: true }),
  },
});

type Handlers = ActionHandlers<typeof restart, string>;

const routesOf = (handlers: Handlers) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => "acme",
    resources: [],
    actions: [implementAction(restart)<string>(handlers)],
  });

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function served(handlers: Handlers): Promise<StartedProvider> {
  const client = await startProvider(routesOf(handlers));
  opened.push(client);
  await client.configureProvider({ config: { msgpack: Uint8Array.of(0x80) } });
  return client;
}

const harnessOf = async (handlers: Handlers) =>
  createTerraformHarness(await served(handlers)).action(restart);

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

const diagnosticsOf = (event: ActionEvent | undefined) =>
  event !== undefined && "completed" in event ? event.completed.diagnostics : [];

const done: ActionEvent = { completed: { diagnostics: [] } };
const idle: Handlers["invoke"] = () => Promise.resolve();

test("an action receives its configuration and its client, reports progress, and completes", async () => {
  const seen: unknown[] = [];
  const harness = await harnessOf({
    async invoke({ till, delay, password }, { client, progress }) {
      seen.push([till, delay, password, client]);
      progress(`stopping ${till}`);
      progress(`starting ${till}`);
      await Promise.resolve();
    },
  });
  expect(await all(harness.invoke({ till: "a", password: "p" }))).toEqual([
    { progress: "stopping a" },
    { progress: "starting a" },
    done,
  ]);
  expect(seen).toEqual([["a", null, "p", "acme"]]);
});

test("progress arrives while the action runs", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const harness = await harnessOf({
    async invoke(_config, { progress }) {
      progress("waiting");
      await gate;
      progress("done");
    },
  });
  const events: ActionEvent[] = [];
  for await (const event of harness.invoke({ till: "a" })) {
    events.push(event);
    release();
  }
  expect(events).toEqual([{ progress: "waiting" }, { progress: "done" }, done]);
});

test("neither progress nor diagnostics show secrets or control characters", async () => {
  const harness = await harnessOf({
    invoke({ pin, password }, { progress, warn }) {
      progress(`with ${pin} and ${password} \u001b[31m`);
      warn({ summary: "Careful", detail: `With ${pin}.` });
      throw new ProviderError({
        summary: "Stuck",
        detail: `Not with ${password}.`,
        path: ["till"],
      });
    },
  });
  const [progress, completed] = await all(
    harness.invoke({ till: "a", pin: secret, password: `${secret}-2` }),
  );
  expect(progress).toEqual({ progress: "with *** and *** \\u001b[31m" });
  const diagnostics = diagnosticsOf(completed);
  expect(summaries(diagnostics)).toEqual(["WARNING - Careful", "ERROR till Stuck"]);
  expect(details(diagnostics)).toBe("Careful: With ***.\nStuck: Not with ***.");
});

test("a flood of progress is bounded, and what is left out is counted", async () => {
  const harness = await harnessOf({
    invoke(_config, { progress }) {
      progress("x".repeat(5000));
      for (let at = 0; at < 500; at += 1) progress(`step ${at}`);
      return Promise.resolve();
    },
  });
  const events = await all(harness.invoke({ till: "a" }));
  expect(events[0]).toEqual({ progress: `${"x".repeat(999)}…` });
  expect(events).toHaveLength(102);
  expect(events[100]).toEqual({ progress: "(401 more messages were omitted)" });
});

test("any other error is a bug of the provider", async () => {
  const harness = await harnessOf({ invoke: () => Promise.reject(new Error("oops")) });
  const [completed] = await all(harness.invoke({ till: "a" }));
  expect(details(diagnosticsOf(completed))).toMatch(/Unexpected Provider Error: Error: oops/);
});

test.each<[string, (client: StartedProvider, cancel: AbortController) => unknown]>([
  ["an interrupt", (client) => client.stopProvider({})],
  [
    "a cancelled call",
    (_client, cancel) => {
      cancel.abort();
    },
  ],
])("%s reaches the handler", async (_name, interrupt) => {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const client = await served({
    async invoke(_config, { signal, progress }) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          resolve();
        });
      });
      progress("running");
      await aborted;
      tell();
    },
  });
  const cancel = new AbortController();
  const events = createTerraformHarness(client)
    .action(restart)
    .invoke({ till: "a" }, { signal: cancel.signal });
  expect((await events.next()).value).toEqual({ progress: "running" });
  await interrupt(client, cancel);
  await told;
});

test("the plan asks the handler, which sees what is unknown", async () => {
  const seen: unknown[] = [];
  const harness = await harnessOf({
    invoke: idle,
    plan({ till, delay }, { warn }) {
      seen.push([till, delay]);
      if (till === UNKNOWN) return;
      warn({ summary: "Soon", detail: "x", path: ["till"] });
      if (delay === 0)
        throw new ProviderError({ summary: "Too Soon", detail: "x", path: ["delay"] });
    },
  });
  expect(await harness.plan({ till: UNKNOWN, delay: 0 })).toEqual([]);
  expect(summaries(await harness.plan({ till: "a", delay: 1 }))).toEqual(["WARNING till Soon"]);
  expect(summaries(await harness.plan({ till: "a", delay: 0 }))).toEqual([
    "WARNING till Soon",
    "ERROR delay Too Soon",
  ]);
  expect(seen).toEqual([
    [UNKNOWN, 0],
    ["a", 1],
    ["a", 0],
  ]);
  expect(await (await harnessOf({ invoke: idle })).plan({ till: "a" })).toEqual([]);
});

test("the configuration is checked by its rules", async () => {
  const harness = await harnessOf({ invoke: idle });
  expect(await harness.validate({ till: UNKNOWN })).toEqual([]);
  expect(summaries(await harness.validate({ till: "A" }))).toEqual([
    "ERROR till Invalid Attribute Value",
  ]);
});

test("terraform learns the schema, and an action that does not exist is an error", async () => {
  const client = await served({ invoke: idle });
  const { actionSchemas } = await client.getProviderSchema({});
  const block = actionSchemas["shop_restart"]?.schema?.block;
  expect(block?.attributes.map(({ name, writeOnly }) => [name, writeOnly])).toEqual([
    ["till", false],
    ["delay", false],
    ["pin", false],
    ["password", true],
  ]);
  expect((await client.getMetadata({})).actions).toEqual([{ typeName: "shop_restart" }]);
  const [event] = await all(client.invokeAction({ actionType: "shop_gone" }));
  expect(details(event?.completed?.diagnostics ?? [])).toMatch(/Unknown Action Type/);
  const { diagnostics } = await client.planAction({ actionType: "shop_gone" });
  expect(details(diagnostics)).toMatch(/has no action "shop_gone"/);
});

test("the handlers of an action have its types", () => {
  assertType<Equal<Parameters<Handlers["invoke"]>[0]["till"], string>>();
  assertType<Equal<Parameters<Handlers["invoke"]>[0]["password"], string | null>>();
});

test("a terraform that knows no actions works as before", async () => {
  const source = "example.test/tools/shop";
  const project = await TerraformProject.open({ source, routes: routesOf({ invoke: idle }) });
  opened.push(project);
  await project.write(`provider "shop" {}`);
  expect(await project.apply()).toEqual([]);
});
