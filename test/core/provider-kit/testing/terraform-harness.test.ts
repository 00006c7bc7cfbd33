import {
  createTerraformHarness,
  type ProviderCalls,
  type StoredResource,
  WireValues,
} from "../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../src/core/schema";
import { summaries } from "../server/protocol";
import {
  catalog,
  made,
  openWorkshop,
  settings,
  tool,
  type ToolHandlers,
  tools,
} from "../server/workshop";

const saw = { toolName: "saw", parts: [{ size: 1 }], ring: [{ colour: "red" }] };
const values = new WireValues(tool);

/** Tools of a provider some of whose responses are changed. */
async function falsified(
  falsify: (calls: ProviderCalls) => Partial<ProviderCalls>,
  handlers: Partial<ToolHandlers> = {},
) {
  const workshop = await openWorkshop({ handlers });
  return createTerraformHarness({ ...workshop, ...falsify(workshop) }).resource(tool);
}

/** Replaces these values in every plan. */
const planning =
  (change: object, from = 1) =>
  (calls: ProviderCalls): Partial<ProviderCalls> => {
    let count = 0;
    return {
      planResourceChange: async (request) => {
        const answer = await calls.planResourceChange(request);
        count++;
        if (count < from) return answer;
        const planned = { ...values.decode(answer.plannedState), ...change };
        const plannedState = { json: new Uint8Array(), ...values.encode(planned) };
        return { ...answer, plannedState };
      },
    };
  };

const applying =
  (change: object) =>
  (calls: ProviderCalls): Partial<ProviderCalls> => ({
    applyResourceChange: async (request) => {
      const answer = await calls.applyResourceChange(request);
      const state = { ...values.decode(answer.newState), ...change };
      return { ...answer, newState: { json: new Uint8Array(), ...values.encode(state) } };
    },
  });

function existing({ stored }: { readonly stored: StoredResource | undefined }): StoredResource {
  if (stored === undefined) throw new Error("there is nothing");
  return stored;
}

describe("a resource", () => {
  test("is created, kept, updated, replaced and destroyed", async () => {
    const asked: string[] = [];
    const log =
      <Rest extends unknown[], Result>(what: string, run: (...rest: Rest) => Result) =>
      (...rest: Rest): Result => {
        asked.push(what);
        return run(...rest);
      };
    const workshop = await openWorkshop({
      handlers: {
        create: log("create", (plan) => Promise.resolve(made(plan))),
        update: log("update", (plan) => Promise.resolve(made(plan))),
        delete: log("delete", () => Promise.resolve()),
      },
    });
    const resources = tools(workshop);
    const created = await resources.deploy(saw);
    expect(created).toMatchObject({ diagnostics: [], plan: { action: "create", replaces: [] } });
    const left = await resources.deploy({ ...saw, on: true }, created.stored);
    expect(left.plan?.action).toBe("no-op");
    expect(left.stored?.state).toEqual(created.stored?.state);
    const updated = await resources.deploy({ ...saw, labels: { a: "b" } }, left.stored);
    expect(updated).toMatchObject({ diagnostics: [], plan: { action: "update" } });
    const replaced = await resources.deploy({ ...saw, toolName: "axe" }, updated.stored);
    expect(replaced.plan).toMatchObject({ action: "replace", replaces: ["tool_name"] });
    expect(replaced.plan?.planned).toMatchObject({ toolId: UNKNOWN, place: UNKNOWN });
    expect(await resources.destroy(existing(replaced))).toEqual({
      stored: undefined,
      diagnostics: [],
    });
    expect(asked).toEqual(["create", "update", "delete", "create", "delete"]);
  });

  test("is not planned when it is invalid", async () => {
    const resources = tools(await openWorkshop());
    const { plan, stored, diagnostics } = await resources.deploy({ toolName: "Saw" });
    expect([plan, stored]).toEqual([undefined, undefined]);
    expect(summaries(diagnostics)).toEqual(["ERROR tool_name Invalid Attribute Value"]);
  });

  test("that cannot be planned has no action, and cannot be applied", async () => {
    const resources = tools(
      await openWorkshop({ configured: false, handlers: { plan: () => ({}) } }),
    );
    const plan = await resources.plan(saw);
    expect([plan.action, plan.planned]).toEqual([undefined, null]);
    expect(summaries(plan.diagnostics)).toEqual(["ERROR - Provider Not Configured"]);
    await expect(resources.apply(plan)).rejects.toThrow("a plan that failed cannot be applied");
  });

  test("is planned again before it is applied, with the values known by then", async () => {
    const resources = tools(await openWorkshop());
    const plan = await resources.plan({ ...saw, labels: UNKNOWN });
    expect(plan.planned).toMatchObject({ labels: UNKNOWN });
    const early = await resources.apply(plan);
    expect(summaries(early.diagnostics)).toEqual([
      "ERROR labels Configuration contains unknown value",
    ]);
    const { stored, diagnostics } = await resources.apply(plan, { ...saw, labels: { a: "b" } });
    expect(diagnostics).toEqual([]);
    expect(stored?.state).toMatchObject({ labels: { a: "b" } });
  });

  test("may not change after all, once everything is known", async () => {
    const resources = tools(await openWorkshop());
    const { stored } = await resources.deploy({ ...saw, labels: { a: "b" } });
    const plan = await resources.plan({ ...saw, labels: UNKNOWN }, stored);
    expect(plan.action).toBe("update");
    expect(await resources.apply(plan, { ...saw, labels: { a: "b" } })).toEqual({
      stored,
      diagnostics: [],
    });
  });

  test("that no longer exists is created again", async () => {
    const resources = tools(
      await openWorkshop({ handlers: { read: () => Promise.resolve(undefined) } }),
    );
    const created = existing(await resources.deploy(saw));
    expect(await resources.read(created)).toEqual({ stored: undefined, diagnostics: [] });
    expect((await resources.deploy(saw, created)).plan?.action).toBe("create");
  });

  test("whose creation failed is tainted, and replaced by the next plan", async () => {
    let isBroken = true;
    const deleted: unknown[] = [];
    const resources = tools(
      await openWorkshop({
        handlers: {
          create(plan, { save }) {
            if (!isBroken) return Promise.resolve(made(plan));
            save({ toolId: "id-1" });
            throw new Error("broken");
          },
          delete({ toolId }) {
            deleted.push(toolId);
            return Promise.resolve();
          },
        },
      }),
    );
    const failed = await resources.deploy(saw);
    expect(summaries(failed.diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
    expect(failed.stored).toMatchObject({ isTainted: true, state: { toolId: "id-1" } });
    isBroken = false;
    const { plan, stored, diagnostics } = await resources.deploy(saw, failed.stored);
    expect([plan?.action, plan?.replaces, diagnostics]).toEqual(["replace", [], []]);
    expect(deleted).toEqual(["id-1"]);
    expect(existing({ stored }).isTainted).toBeUndefined();
  });

  test("that cannot be updated or destroyed is kept", async () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    const resources = tools(await openWorkshop({ handlers: { update: fail, delete: fail } }));
    const created = existing(await resources.deploy(saw));
    const updated = await resources.deploy({ ...saw, labels: { a: "b" } }, created);
    expect(updated.stored?.state).toEqual(created.state);
    const destroyed = await resources.destroy(created);
    expect(destroyed.stored?.state).toEqual(created.state);
    expect(summaries(destroyed.diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
  });

  test("keeps its private state and its timeouts from step to step", async () => {
    const seen: unknown[] = [];
    const before = Date.now();
    const minutes = (deadline: number): number => Math.floor((deadline - before) / 60_000);
    const resources = tools(
      await openWorkshop({
        handlers: {
          create(plan, { privateState, deadline }) {
            privateState.set("made", "yes");
            seen.push(["create", minutes(deadline)]);
            return Promise.resolve(made(plan));
          },
          read(state, { privateState }) {
            seen.push(["read", privateState.get("made")]);
            return Promise.resolve(state);
          },
          delete(_state, { privateState, deadline }) {
            seen.push(["delete", privateState.get("made"), minutes(deadline)]);
            return Promise.resolve();
          },
        },
      }),
    );
    const timeouts = { create: "2h", delete: "3h" };
    const { stored } = await resources.deploy({ ...saw, timeouts });
    await resources.destroy(existing(await resources.read(existing({ stored }))));
    expect(seen).toEqual([
      ["create", 120],
      ["read", "yes"],
      ["delete", "yes", 180],
    ]);
  });

  test("is imported and read", async () => {
    const read: ToolHandlers["read"] = (state) =>
      Promise.resolve({ ...state, on: true, toolId: "id-1", etag: "e" });
    const resources = tools(await openWorkshop({ handlers: { read } }));
    const { stored, diagnostics } = await resources.import("shed/saw");
    expect(diagnostics).toEqual([]);
    expect(stored?.state).toMatchObject({ place: "shed", toolName: "saw", toolId: "id-1" });
    expect((await resources.plan({ toolName: "saw" }, stored)).action).toBe("no-op");
    expect((await resources.importState("shed/saw")).stored?.state).toMatchObject({ toolId: null });
  });

  test("that does not exist cannot be imported", async () => {
    const resources = tools(
      await openWorkshop({ handlers: { read: () => Promise.resolve(undefined) } }),
    );
    const { stored, diagnostics } = await resources.import("shed/saw");
    expect(stored).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["ERROR - Cannot import non-existent remote object"]);
    expect(summaries((await resources.import("a/b/c")).diagnostics)).toEqual([
      "ERROR - Invalid Import ID",
    ]);
  });
});

describe("Terraform's core refuses", () => {
  test.each<[string, object, string]>([
    ["another value than the configuration's", { toolName: "axe" }, "tool_name"],
    ["a value that only the configuration may give", { labels: { a: "b" } }, "labels"],
    ["another value in nested attributes", { parts: [{ size: 2 }] }, "parts.0.size"],
    ["more blocks than the configuration has", { hole: [{ width: 1 }] }, "hole"],
    ["unknown blocks", { ring: UNKNOWN }, "ring"],
  ])("a plan with %s", async (_what, change, path) => {
    const resources = await falsified(planning(change));
    const { action, diagnostics } = await resources.plan(saw);
    expect(action).toBeUndefined();
    expect(summaries(diagnostics)).toEqual([`ERROR ${path} Provider produced invalid plan`]);
  });

  test("a second plan that differs from the first", async () => {
    const resources = await falsified(planning({ on: false }, 2));
    const { stored, diagnostics } = await resources.deploy(saw);
    expect(stored).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["ERROR on Provider produced inconsistent final plan"]);
  });

  test.each<[string, object, string]>([
    ["another value than planned", { on: false }, "on"],
    ["another element of a set", { ring: [{ colour: "blue" }] }, "ring"],
    ["fewer elements of a list", { parts: [] }, "parts.0"],
    ["other blocks", { box: { lid: true } }, "box"],
  ])("a result with %s", async (_what, change, path) => {
    const resources = await falsified(applying(change));
    const { stored, diagnostics } = await resources.deploy(saw);
    expect(stored).toMatchObject({ isTainted: true });
    const summary = "Provider produced inconsistent result after apply";
    expect(summaries(diagnostics).slice(0, 1)).toEqual([`ERROR ${path} ${summary}`]);
    for (const { detail } of diagnostics) expect(detail).toContain("This is a bug in the provider");
  });

  test("a result that is not known", async () => {
    const resources = await falsified(applying({ etag: UNKNOWN }));
    const { stored, diagnostics } = await resources.deploy(saw);
    expect(stored?.state).toMatchObject({ etag: null });
    expect(summaries(diagnostics)).toEqual([
      "ERROR etag Provider returned invalid result object after apply",
    ]);
  });

  test("a result, without showing a sensitive value", async () => {
    const resources = await falsified(applying({ pin: "hushhush" }));
    const { diagnostics } = await resources.deploy({ ...saw, pin: "hush" });
    expect(summaries(diagnostics)).toEqual([
      "ERROR pin Provider produced inconsistent result after apply",
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("hush");
  });

  test("nothing if the provider's own error explains it", async () => {
    const create: ToolHandlers["create"] = (plan, { save }) => {
      save(made({ ...plan, on: false }));
      throw new Error("broken");
    };
    const resources = tools(await openWorkshop({ handlers: { create } }));
    expect(summaries((await resources.deploy(saw)).diagnostics)).toEqual([
      "ERROR - Unexpected Provider Error",
    ]);
  });
});

describe("a data source", () => {
  test("is read", async () => {
    const data = createTerraformHarness(await openWorkshop()).dataSource(catalog);
    expect(await data.validate({ query: "saw" })).toEqual([]);
    expect(await data.read({ query: "saw" })).toEqual({
      state: { query: "saw", limit: 10, found: ["saw"] },
      isDeferred: false,
      diagnostics: [],
    });
  });

  test("is not read while its configuration is unknown", async () => {
    const read = (): never => {
      throw new Error("asked");
    };
    const data = createTerraformHarness(await openWorkshop({ read })).dataSource(catalog);
    expect(await data.read({ query: UNKNOWN, limit: 5 })).toEqual({
      state: { query: UNKNOWN, limit: 5, found: UNKNOWN },
      isDeferred: true,
      diagnostics: [],
    });
  });

  test("that returns nothing is refused", async () => {
    const workshop = await openWorkshop();
    const none = { json: new Uint8Array(), ...new WireValues(catalog).encode(null) };
    const provider: ProviderCalls = {
      ...workshop,
      readDataSource: async (request) => ({
        ...(await workshop.readDataSource(request)),
        state: none,
      }),
    };
    const data = createTerraformHarness(provider).dataSource(catalog);
    const { state, diagnostics } = await data.read({ query: "saw" });
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR - Provider produced null object"]);
  });
});

test("settings are validated and configured", async () => {
  const terraform = createTerraformHarness(await openWorkshop({ configured: false }));
  expect(await terraform.validate(settings, { accessToken: "ABC" })).toHaveLength(1);
  expect(await terraform.configure(settings, { baseUrl: "x" })).toEqual([]);
});
