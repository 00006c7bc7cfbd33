import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type EphemeralHandlers,
  implement,
  implementEphemeralResource,
  known,
  ProviderError,
  providerRoutes,
  UNKNOWN,
} from "../../../../src/core/provider-kit";
import { unzipped } from "../../../unzipped";
import {
  createTerraformHarness,
  startProvider,
  TerraformProject,
  WireValues,
} from "../../../../src/core/provider-kit/testing";
import {
  computed,
  ephemeralResource,
  optionalComputed,
  provider,
  required,
  resource,
  stringRule,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const lowercase = stringRule([[/^[a-z]+$/, "must be lowercase letters"]]);

const settings = provider("shop", { doc, attributes: {} });
const key = ephemeralResource("shop_key", {
  doc,
  attributes: {
    door: required(t.string(lowercase), { doc }),
    bits: optionalComputed(t.integer(), { doc, default: 8 }),
    value: computed(t.string(), { doc, sensitive: true }),
  },
});
const job = resource("shop_job", {
  doc,
  attributes: { jobName: required(t.string(), { doc }), jobId: computed(t.string(), { doc }) },
});

type Handlers = EphemeralHandlers<typeof key, unknown>;

const secret = "Ephemeral-Secret-Value";
/** What a provisioner compares, so that the value itself is not in the configuration. */
const digest = createHash("sha256").update(`${secret}/8`).digest("hex");
const open: Handlers["open"] = (config) => Promise.resolve(known({ ...config, value: secret }));

/** Notes what is called, in order. */
class Shop {
  readonly calls: string[] = [];
  /** Called by the resource when it is created. */
  work: () => Promise<void> = () => Promise.resolve();

  routes(handlers: Handlers) {
    return providerRoutes({
      declaration: settings,
      configure: () => null,
      resources: [
        implement(job)<unknown>({
          create: async (plan) => {
            await this.work();
            return known({ ...plan, jobId: "j-1" });
          },
          read: (state) => Promise.resolve(state),
          update: (plan) => Promise.resolve(known({ ...plan, jobId: "j-1" })),
          delete: () => Promise.resolve(),
        }),
      ],
      ephemeralResources: [implementEphemeralResource(key)<unknown>(handlers)],
    });
  }
}

const opened: TerraformProject[] = [];

afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function projectOf(handlers: Handlers, shop = new Shop()): Promise<TerraformProject> {
  const routes = shop.routes(handlers);
  const project = await TerraformProject.open({ source: "example.test/tools/shop", routes });
  opened.push(project);
  return project;
}

/** A provisioner may use ephemeral values, and checks here that they arrive. */
const using = (expression: string, door = "front"): string => `
  ephemeral "shop_key" "one" { door = "${door}" }
  resource "shop_job" "one" {
    job_name = "x"
    provisioner "local-exec" {
      command     = "test $(printf %s $KEY | sha256sum | cut -c -64) = ${digest}"
      environment = { KEY = ${expression} }
    }
  }`;

const value = '"${ephemeral.shop_key.one.value}/${ephemeral.shop_key.one.bits}"';

test("terraform opens and closes it in each phase, and stores its values nowhere", async () => {
  const shop = new Shop();
  const project = await projectOf(
    {
      open: (config, { privateState, log }) => {
        log.redact(secret);
        shop.calls.push(`open ${config.door}`);
        privateState.set("lease", "42");
        return open(config, undefined as never);
      },
      close: ({ privateState }) => {
        shop.calls.push(`close ${privateState.get("lease")}`);
        return Promise.resolve();
      },
    },
    shop,
  );
  await project.write(using(value));
  await project.plan();
  await project.run("apply", "-input=false", "plan.bin");
  expect(Object.keys(await project.resources())).toEqual(["shop_job.one"]);
  expect(shop.calls).toEqual(["open front", "close 42", "open front", "close 42"]);

  const shown = await project.run("show", "-json", "plan.bin");
  expect(shown.output).not.toContain(secret);
  const files = unzipped(await readFile(join(project.folder, "plan.bin")));
  expect(files.some((each) => each.includes("shop_job"))).toBe(true);
  for (const name of await readdir(project.folder)) {
    if (name.startsWith(".terraform")) continue;
    const bytes = await readFile(join(project.folder, name));
    for (const content of [bytes, ...unzipped(bytes)]) {
      expect([name, content.includes(secret)]).toEqual([name, false]);
    }
  }
});

test("terraform renews it while it is in use", async () => {
  const shop = new Shop();
  const renewed = new Promise<void>((resolve) => {
    shop.work = () => renewed;
    void projectOf(
      {
        open: (config, { privateState, renewAt }) => {
          privateState.set("lease", "1");
          renewAt(new Date());
          return open(config, undefined as never);
        },
        renew: ({ privateState, renewAt }) => {
          const lease = Number(privateState.get("lease")) + 1;
          privateState.set("lease", String(lease));
          shop.calls.push(`renew ${lease}`);
          renewAt(lease < 3 ? new Date() : new Date(Date.now() + 3_600_000));
          if (lease === 3) resolve();
          return Promise.resolve();
        },
        close: ({ privateState }) => {
          shop.calls.push(`close ${privateState.get("lease")}`);
          return Promise.resolve();
        },
      },
      shop,
    );
  });
  const project = await until(() => opened[0]);
  await project.write(using(value));
  await project.apply();
  expect(shop.calls).toEqual(["renew 2", "renew 3", "close 1", "renew 2", "renew 3", "close 1"]);
});

test.each<[string, Partial<Handlers>, string, RegExp]>([
  ["a rule is broken", {}, "Front", /Invalid Attribute Value.*door: must be lowercase letters/s],
  [
    "it cannot be opened",
    {
      open: () =>
        Promise.reject(
          new ProviderError({ summary: "No Key", detail: "It was lost.", path: ["door"] }),
        ),
    },
    "front",
    /No Key.*It was lost/s,
  ],
  [
    "the handler leaves a value unknown",
    { open: (config) => Promise.resolve({ ...config, value: UNKNOWN } as never) },
    "front",
    /The provider left value of shop_key unknown/,
  ],
  [
    "the handler changes what the configuration sets",
    { open: (config) => Promise.resolve(known({ ...config, door: "back", value: "v" })) },
    "front",
    /returned a value of door of shop_key that differs from its plan/,
  ],
  [
    "it asks for a renewal that it does not have",
    {
      open: (config, { renewAt }) => {
        renewAt(new Date());
        return open(config, undefined as never);
      },
    },
    "front",
    /shop_key has no renew handler, but its open handler called renewAt/,
  ],
  [
    "it cannot be closed",
    {
      open,
      close: () => Promise.reject(new ProviderError({ summary: "Stuck", detail: "It is stuck." })),
    },
    "front",
    /Stuck.*It is stuck/s,
  ],
])("terraform reports that %s", async (_name, handlers, door, message) => {
  const project = await projectOf({ open, ...handlers });
  await project.write(using(value, door));
  await expect(project.apply()).rejects.toThrow(message);
});

test("terraform does not open it while its configuration is unknown", async () => {
  const shop = new Shop();
  const project = await projectOf(
    {
      open: (config) => {
        shop.calls.push(config.door);
        return open(config, undefined as never);
      },
    },
    shop,
  );
  await project.write(`
    resource "shop_job" "door" { job_name = "x" }
    ephemeral "shop_key" "one" { door = replace(shop_job.door.job_id, "/[^a-z]/", "") }
    resource "shop_job" "one" {
      job_name = "y"
      provisioner "local-exec" {
        command     = "true"
        environment = { KEY = ephemeral.shop_key.one.value }
      }
    }`);
  await project.plan();
  expect(shop.calls).toEqual([]);
  await project.apply();
  expect(shop.calls).toEqual(["j"]);
});

test("a sensitive value is redacted from messages", async () => {
  const client = await startProvider(
    new Shop().routes({
      open,
      close: () =>
        Promise.reject(new ProviderError({ summary: "Stuck", detail: `Cannot end ${secret}.` })),
    }),
  );
  try {
    await createTerraformHarness(client).configure(settings);
    const config = new WireValues(key).encode({ door: "front" });
    const { result, private: kept } = await client.openEphemeralResource({
      typeName: "shop_key",
      config,
    });
    expect(new WireValues(key).decode(result)).toMatchObject({ value: secret, bits: 8 });
    const closed = await client.closeEphemeralResource({
      typeName: "shop_key",
      ...(kept && { private: kept }),
    });
    expect(closed.diagnostics).toMatchObject([{ summary: "Stuck", detail: "Cannot end ***." }]);
    const unknown = await client.openEphemeralResource({ typeName: "shop_gone", config });
    expect(unknown.diagnostics).toMatchObject([{ summary: "Unknown Ephemeral Resource Type" }]);
    const { ephemeralResources } = await client.getMetadata({});
    expect(ephemeralResources).toEqual([{ typeName: "shop_key" }]);
  } finally {
    client.close();
  }
});

/** Waits for a value. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
