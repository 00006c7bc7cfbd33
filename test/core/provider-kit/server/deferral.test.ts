// No release of Terraform can defer: the harness can, and Terraform shows the errors.
import {
  Deferral,
  type DeferralReason,
  implement,
  implementDataSource,
  implementEphemeralResource,
  known,
  type ProviderDefinition,
  providerRoutes,
  type ResourceHandlers,
  settingsNotKnownYet,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  startProvider,
  type StartedProvider,
  TerraformProject,
  WireValues,
} from "../../../../src/core/provider-kit/testing";
import {
  computed,
  dataSource,
  ephemeralResource,
  type IdentityOf,
  optional,
  provider,
  required,
  requiredForImport,
  resource,
  type StateOf,
  t,
  UNKNOWN,
} from "../../../../src/core/schema";
import { details, summaries } from "./protocol";

const doc = "x";
const settings = provider("shop", {
  doc,
  attributes: { baseUrl: optional(t.string(), { doc }) },
});
const row = resource("shop_row", {
  doc,
  attributes: {
    table: required(t.string(), { doc, requiresReplace: true }),
    size: optional(t.integer(), { doc }),
    place: computed(t.string(), { doc }),
    etag: computed(t.string(), { doc }),
  },
  importId: ["{table}"],
});
/** A handler makes its identity. */
const shelf = resource("shop_shelf", {
  doc,
  attributes: { path: required(t.string(), { doc }) },
  identity: { attributes: { room: requiredForImport(t.string(), { doc }) } },
});
const found = dataSource("shop_found", {
  doc,
  attributes: { name: optional(t.string(), { doc }), rows: computed(t.integer(), { doc }) },
});
const lease = ephemeralResource("shop_lease", {
  doc,
  attributes: { key: computed(t.string(), { doc }) },
});

const noTable = (reason: DeferralReason = "ABSENT_PREREQ") =>
  new Deferral({
    reason,
    summary: "No Table",
    detail: "The table does not exist yet. Create it first: terraform apply -target=…",
    path: ["table"],
  });

type Shelf = StateOf<typeof shelf>;
type Handlers = ResourceHandlers<typeof row, null>;

const usual: Handlers = {
  plan: () => ({ place: "shed" }),
  create: (plan) => Promise.resolve(known({ ...plan, place: "shed", etag: "e" })),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(known({ ...plan, place: "shed", etag: "e" })),
  delete: () => Promise.resolve(),
};

const shelves = {
  create: (plan: Shelf) => Promise.resolve(plan),
  read: (state: Shelf) => Promise.resolve(state),
  update: (plan: Shelf) => Promise.resolve(plan),
  delete: () => Promise.resolve(),
  identity: ({ path }: Shelf) => ({ room: path }),
  importByIdentity: ({ room }: IdentityOf<typeof shelf>) => ({ path: room }),
};

const never = () => Promise.reject(noTable("RESOURCE_CONFIG_UNKNOWN"));

const definition = (
  handlers: Partial<Handlers>,
  configure: () => null = () => null,
): ProviderDefinition<typeof settings, null> => ({
  declaration: settings,
  configure,
  resources: [implement(row)<null>({ ...usual, ...handlers }), implement(shelf)<null>(shelves)],
  dataSources: [implementDataSource(found)<null>({ read: never })],
  ephemeralResources: [implementEphemeralResource(lease)<null>({ open: never })],
});

let client: StartedProvider | undefined;
let project: TerraformProject | undefined;

afterEach(async () => {
  client?.close();
  client = undefined;
  await project?.close();
  project = undefined;
});

async function open(
  handlers: Partial<Handlers>,
  { allowDeferral = true, configure }: { allowDeferral?: boolean; configure?: () => null } = {},
) {
  client = await startProvider(providerRoutes(definition(handlers, configure)));
  const terraform = createTerraformHarness(client, { allowDeferral });
  return { terraform, diagnostics: await terraform.configure(settings, { baseUrl: UNKNOWN }) };
}

const throwing = (error: Error) => (): never => {
  throw error;
};
const stored = { state: { table: "t", place: "shed", etag: "e" }, private: Buffer.from("{}") };

describe("if Terraform can defer", () => {
  test("a deferred plan has what is known without the handler", async () => {
    const { terraform } = await open({
      plan(_draft, { privateState }) {
        privateState.set("tried", "yes");
        throw noTable();
      },
    });
    const rows = terraform.resource(row);
    const created = await rows.plan({ table: "t" });
    expect(created).toMatchObject({
      action: "create",
      deferral: "ABSENT_PREREQ",
      planned: { table: "t", place: UNKNOWN, etag: UNKNOWN },
      diagnostics: [],
    });
    expect(created.private).toHaveLength(0);
    const replaced = await rows.plan({ table: "other" }, stored);
    expect(replaced).toMatchObject({ action: "replace", replaces: ["table"] });
    expect(replaced.deferral).toBe("ABSENT_PREREQ");
    await expect(rows.apply(created)).rejects.toThrow("was deferred");
    expect(await rows.deploy({ table: "t" })).toMatchObject({
      stored: undefined,
      deferral: "ABSENT_PREREQ",
    });
  });

  test("a deferred plan has what a handler knows without a client, after a resource and after the provider", async () => {
    const planDeferred: Handlers["planDeferred"] = ({ config, prior }, { requireReplace }) => {
      if (prior !== undefined) requireReplace(["size"]);
      return { place: `place of ${String(config.table)}` };
    };
    for (const given of [{ plan: throwing(noTable()) }, {}]) {
      const configure = "plan" in given ? undefined : throwing(noTable());
      const { terraform } = await open(
        { ...given, planDeferred },
        configure === undefined ? {} : { configure },
      );
      const rows = terraform.resource(row);
      expect(await rows.plan({ table: "t" })).toMatchObject({
        action: "create",
        deferral: "ABSENT_PREREQ",
        planned: { table: "t", place: "place of t", etag: UNKNOWN },
        diagnostics: [],
      });
      expect(await rows.plan({ table: "t", size: 2 }, stored)).toMatchObject({
        action: "replace",
        replaces: ["size"],
        deferral: "ABSENT_PREREQ",
      });
      client?.close();
    }
    // Without a deferral, it is not called.
    const { terraform } = await open({ planDeferred });
    const plan = await terraform.resource(row).plan({ table: "t" });
    expect(plan.planned).toMatchObject({ place: "shed" });
  });

  test("a resource gives its own reason in place of that of the provider, or fails", async () => {
    const configure = throwing(noTable("PROVIDER_CONFIG_UNKNOWN"));
    const { terraform } = await open({ planDeferred: throwing(noTable()) }, { configure });
    expect(await terraform.resource(row).plan({ table: "t" })).toMatchObject({
      deferral: "ABSENT_PREREQ",
      planned: { table: "t", place: UNKNOWN, etag: UNKNOWN },
      diagnostics: [],
    });
    client?.close();
    const wrong = await open({ planDeferred: throwing(new Error("no")) }, { configure });
    const { diagnostics } = await wrong.terraform.resource(row).plan({ table: "t" });
    expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
    client?.close();
    const planDeferred: Handlers["planDeferred"] = () => ({ table: "other" });
    const breaking = await open({ planDeferred }, { configure });
    const plan = await breaking.terraform.resource(row).plan({ table: "t" });
    expect(summaries(plan.diagnostics)).toEqual(["ERROR table Unexpected Provider Plan"]);
  });

  test("a deferred destruction stays planned, and nothing is destroyed", async () => {
    const { terraform } = await open({
      planDestroy: throwing(noTable()),
      delete: throwing(new Error("asked")),
    });
    const rows = terraform.resource(row);
    expect(await rows.plan(null, stored)).toMatchObject({
      action: "delete",
      deferral: "ABSENT_PREREQ",
      diagnostics: [],
    });
    expect(await rows.destroy(stored)).toMatchObject({ stored, deferral: "ABSENT_PREREQ" });
  });

  test("a deferred read keeps the state", async () => {
    const { terraform } = await open({ read: throwing(noTable("RESOURCE_CONFIG_UNKNOWN")) });
    const result = await terraform.resource(row).read(stored);
    expect(result).toEqual({ stored, diagnostics: [], deferral: "RESOURCE_CONFIG_UNKNOWN" });
  });

  test("a deferred import has no resource", async () => {
    const { terraform } = await open({ import: throwing(noTable()) });
    const result = await terraform.resource(row).import("t");
    expect(result).toEqual({ stored: undefined, diagnostics: [], deferral: "ABSENT_PREREQ" });
  });

  test("a deferred data source has unknown values", async () => {
    const { terraform } = await open({});
    expect(await terraform.dataSource(found).read({ name: "n" })).toEqual({
      state: { name: "n", rows: UNKNOWN },
      isDeferred: true,
      deferral: "RESOURCE_CONFIG_UNKNOWN",
      diagnostics: [],
    });
  });

  test("a deferred ephemeral resource has an unknown result", async () => {
    await open({});
    const answer = await client?.openEphemeralResource({
      typeName: "shop_lease",
      config: new WireValues(lease).encode({}),
      clientCapabilities: { deferralAllowed: true },
    });
    expect(answer).toMatchObject({
      diagnostics: [],
      deferred: { reason: "RESOURCE_CONFIG_UNKNOWN" },
    });
    expect(Buffer.from(answer?.result?.msgpack ?? []).toString("hex")).toBe("d40000");
  });

  test("settings that are not known yet defer what needs them", async () => {
    const missing = settingsNotKnownYet(settings, ["baseUrl"], { to: "find a place" });
    const { terraform } = await open({ plan: throwing(missing) });
    const plan = await terraform.resource(row).plan({ table: "t" });
    expect(plan).toMatchObject({ deferral: "PROVIDER_CONFIG_UNKNOWN", diagnostics: [] });
  });

  test("a configuration that is deferred defers everything, without the handlers", async () => {
    const asked = throwing(new Error("asked"));
    const missing = settingsNotKnownYet(settings, ["baseUrl"], { to: "connect" });
    const { terraform, diagnostics } = await open(
      { plan: asked, read: asked, import: asked, planDestroy: asked },
      { configure: throwing(missing) },
    );
    expect(diagnostics).toEqual([]);
    const rows = terraform.resource(row);
    const results = [
      await rows.plan({ table: "t" }),
      await rows.plan({ table: "t", size: 1 }, stored),
      await rows.plan(null, stored),
      await rows.read(stored),
      await rows.import("t"),
      await terraform.dataSource(found).read({}),
    ];
    for (const result of results) {
      expect(result).toMatchObject({ deferral: "PROVIDER_CONFIG_UNKNOWN", diagnostics: [] });
    }
  });

  test("also for a resource whose identity a handler makes", async () => {
    const missing = settingsNotKnownYet(settings, ["baseUrl"], { to: "connect" });
    const { terraform } = await open({}, { configure: throwing(missing) });
    const all = terraform.resource(shelf);
    const before = {
      state: { path: "attic" },
      identity: { room: "attic" },
      private: Buffer.from("{}"),
    };
    const change = await all.plan({ path: "hall" }, before);
    expect(change).toMatchObject({
      action: "update",
      planned: { path: "hall" },
      identity: { room: "attic" },
    });
    const results = [
      change,
      await all.plan({ path: "hall" }),
      await all.read(before),
      await all.import({ identity: { room: "attic" } }),
    ];
    for (const result of results) {
      expect(result).toMatchObject({ deferral: "PROVIDER_CONFIG_UNKNOWN", diagnostics: [] });
    }
  });

  test("other errors are errors, and a creation cannot be deferred", async () => {
    const { terraform } = await open({ plan: throwing(new Error("no")), create: never });
    const rows = terraform.resource(row);
    const plan = await rows.plan({ table: "t" });
    expect(plan.deferral).toBeUndefined();
    expect(summaries(plan.diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
    client?.close();
    const creating = await open({ create: never });
    const { diagnostics } = await creating.terraform.resource(row).deploy({ table: "t" });
    expect(summaries(diagnostics)).toEqual(["ERROR table No Table"]);
  });
});

describe("if Terraform cannot defer", () => {
  test("every deferral is the error that it describes", async () => {
    const { terraform } = await open(
      { plan: throwing(noTable()), read: throwing(noTable()), import: throwing(noTable()) },
      { allowDeferral: false },
    );
    const rows = terraform.resource(row);
    for (const { diagnostics } of [
      await rows.plan({ table: "t" }),
      await rows.read(stored),
      await rows.import("t"),
      await terraform.dataSource(found).read({}),
    ]) {
      expect(details(diagnostics)).toBe(
        "No Table: The table does not exist yet. Create it first: terraform apply -target=…",
      );
    }
  });

  test("a configuration that would be deferred fails", async () => {
    const missing = settingsNotKnownYet(settings, ["baseUrl"], { to: "connect" });
    const configure = throwing(missing);
    const { diagnostics } = await open({}, { allowDeferral: false, configure });
    expect(summaries(diagnostics)).toEqual(["ERROR - Provider Setting Not Known Yet"]);
  });

  test("the real Terraform shows the error", async () => {
    project = await TerraformProject.open({
      source: "example.test/tools/shop",
      routes: providerRoutes(definition({ plan: throwing(noTable()) })),
    });
    await project.write('resource "shop_row" "it" { table = "t" }');
    await expect(project.plan()).rejects.toThrow(
      "shop_row.it: No Table: The table does not exist yet. Create it first: terraform apply -target=…",
    );
  });
});
