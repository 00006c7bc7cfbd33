// Handlers that never end by themselves: what Terraform's interrupts and its death reach.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Context,
  implement,
  implementDataSource,
  implementEphemeralResource,
  known,
  providerRoutes,
} from "../../../../src/core/provider-kit";
import { startReattach } from "../../../../src/core/provider-kit/host/reattach";
import {
  computed,
  dataSource,
  ephemeralResource,
  optional,
  provider,
  resource,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const attributes = { size: optional(t.integer(), { doc }), key: computed(t.string(), { doc }) };
const row = resource("shop_row", { doc, attributes, importId: ["{key}"] });
const found = dataSource("shop_found", { doc, attributes });
const lease = ephemeralResource("shop_lease", { doc, attributes });

/** The handler that hangs. */
let hangsIn = "";
let begun = 0;
let aborted = 0;
let onChange = (): void => undefined;

/** Waits for the signal, in the handler that hangs. */
async function hang(handler: string, { signal }: Pick<Context<null>, "signal">): Promise<void> {
  if (handler !== hangsIn) return;
  begun++;
  onChange();
  if (!signal.aborted) await once(signal, "abort");
  aborted++;
  onChange();
  throw new Error("stopped");
}

const until = async (isTrue: () => boolean): Promise<void> => {
  await new Promise<void>((resolve) => {
    onChange = () => {
      if (isTrue()) resolve();
    };
    onChange();
  });
};

const values = { size: null, key: "k" };
const routes = providerRoutes({
  declaration: provider("shop", { doc, attributes: {} }),
  configure: () => null,
  resources: [
    implement(row)<null>({
      async plan(_draft, context) {
        await hang("plan", context);
        return {};
      },
      planDestroy: (_state, context) => hang("planDestroy", context),
      async create(plan, context) {
        await hang("create", context);
        return known({ ...plan, key: "k" });
      },
      async read(state, context) {
        await hang("read", context);
        return state;
      },
      async update(plan, _state, context) {
        await hang("update", context);
        return known({ ...plan, key: "k" });
      },
      delete: (_state, context) => hang("delete", context),
    }),
  ],
  dataSources: [
    implementDataSource(found)<null>({
      async read(_config, context) {
        await hang("data", context);
        return values;
      },
    }),
  ],
  ephemeralResources: [
    implementEphemeralResource(lease)<null>({
      async open(_config, context) {
        await hang("open", context);
        return values;
      },
      close: (context) => hang("close", context),
    }),
  ],
});

let folder = "";
let served: Awaited<ReturnType<typeof startReattach>>;

beforeEach(async () => {
  [hangsIn, begun, aborted] = ["", 0, 0];
  folder = await mkdtemp(join(tmpdir(), "hanging-"));
  served = await startReattach({ source: "example.test/tools/shop", routes, env: process.env });
});

afterEach(async () => {
  served.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(body: string, ...args: readonly string[]): Promise<ChildProcess> {
  const required = `required_providers {
    shop = { source = "example.test/tools/shop" }
  }`;
  await writeFile(join(folder, "main.tf"), `terraform {\n${required}\n}\n${body}`);
  return spawn("terraform", [...args, "-input=false", "-no-color"], {
    cwd: folder,
    env: { ...process.env, ...served.env, CHECKPOINT_DISABLE: "1" },
    stdio: "ignore",
  });
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

const one = `resource "shop_row" "it" { size = 1 }`;

test.each([
  ["plan", "", one, ["plan"]],
  ["create", "", one, ["apply", "-auto-approve"]],
  ["read", one, one, ["plan"]],
  ["update", one, one.replace("1", "2"), ["apply", "-auto-approve"]],
  ["planDestroy", one, "", ["plan"]],
  ["delete", one, "", ["apply", "-auto-approve"]],
  ["data", "", `data "shop_found" "it" {}`, ["plan"]],
  ["open", "", `ephemeral "shop_lease" "it" {}`, ["plan"]],
  ["close", "", `ephemeral "shop_lease" "it" {}`, ["plan"]],
])(
  "%s is aborted when Terraform is killed, and the next command works",
  async (handler, before, body, args) => {
    if (before !== "") expect(await ended(await start(before, "apply", "-auto-approve"))).toBe(0);
    hangsIn = handler;
    const killed = await start(body, ...args, "-lock=false");
    await until(() => begun === 1);
    killed.kill("SIGKILL");
    await until(() => aborted === 1);
    await ended(killed);
    hangsIn = "";
    expect(await ended(await start(body, "apply", "-auto-approve", "-lock=false"))).toBe(0);
  },
);

test("an interrupt reaches 1,000 handlers that hang", async () => {
  hangsIn = "create";
  const many = `resource "shop_row" "it" { count = 1000 }`;
  const apply = await start(many, "apply", "-auto-approve", "-parallelism=1000");
  await until(() => begun === 1000);
  apply.kill("SIGINT");
  await until(() => aborted === 1000);
  expect(await ended(apply)).toBe(1);
});
