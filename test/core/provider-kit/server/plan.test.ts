import { ProviderError } from "../../../../src/core/provider-kit";
import { UNKNOWN } from "../../../../src/core/schema";
import { WireValues } from "../../../../src/core/provider-kit/testing";
import { details, summaries } from "./protocol";
import { applyTool, openWorkshop, planTool, tool, type ToolHandlers, tools } from "./workshop";

const big = 123456789012345678901234567890n;

const rich = {
  toolName: "saw",
  pieces: big,
  tags: ["b", "a"],
  handle: { madeOf: "oak", serial: null, key: "KEY1" },
  hole: [{ width: 1, holeId: null }],
  ring: [{ colour: "red" }, { colour: "blue" }],
  box: { lid: null },
  timeouts: { create: "5m", delete: null },
};

test("plans a creation, with unknown values where the provider decides", async () => {
  const workshop = await openWorkshop();
  const { planned, replaces, diagnostics } = await planTool(workshop, rich);
  expect(diagnostics).toEqual([]);
  expect(replaces).toEqual([]);
  expect(planned).toMatchObject({
    toolName: "saw",
    pieces: big,
    on: true,
    place: UNKNOWN,
    toolId: UNKNOWN,
    handle: { madeOf: "oak", serial: UNKNOWN },
    hole: [{ width: 1, holeId: UNKNOWN }],
    box: { lid: false },
    timeouts: { create: "5m", delete: null },
  });
});

test("plans nothing when nothing changed, sets in another order included", async () => {
  const workshop = await openWorkshop();
  const { state } = await applyTool(workshop, await planTool(workshop, rich));
  const again = { ...rich, tags: ["a", "b"], ring: [{ colour: "blue" }, { colour: "red" }] };
  expect((await planTool(workshop, again, state)).planned).toEqual(state);
});

test("plans an update and a replacement", async () => {
  const workshop = await openWorkshop();
  const { state } = await applyTool(workshop, await planTool(workshop, rich));
  const update = await planTool(workshop, { ...rich, pieces: big + 1n }, state);
  expect(update.replaces).toEqual([]);
  expect(update.planned).toMatchObject({
    pieces: big + 1n,
    place: state?.["place"],
    toolId: state?.["toolId"],
    etag: UNKNOWN,
  });
  const replacement = await planTool(workshop, { ...rich, toolName: "axe", place: UNKNOWN }, state);
  expect(replacement.replaces).toEqual(["place", "tool_name"]);
});

test("plans a deletion without calling the handler of plans", async () => {
  const plan = (): never => {
    throw new Error("asked");
  };
  const workshop = await openWorkshop({ handlers: { plan } });
  const values = new WireValues(tool);
  const none = values.encode(null);
  // Terraform would not call the provider, which does not have the capability.
  const answer = await workshop.planResourceChange({
    typeName: "shop_tool",
    config: none,
    priorState: values.encode({ toolName: "saw" }),
    proposedNewState: none,
    priorPrivate: Buffer.from("{}"),
  });
  expect(answer).toMatchObject({ diagnostics: [], plannedState: none });
  expect(Buffer.from(answer.plannedPrivate).toString()).toBe("{}");
});

describe("a handler of planned destructions", () => {
  const stored = { state: { toolName: "saw", place: "shed" } };

  test("warns, and passes private state to delete", async () => {
    const seen: unknown[] = [];
    const workshop = await openWorkshop({
      handlers: {
        planDestroy(state, { warn, privateState }) {
          privateState.set("asked", state.place ?? "");
          warn({ summary: "Still In Use", detail: "Somebody has it.", path: ["place"] });
        },
        delete(_state, { privateState }) {
          seen.push(privateState.get("asked"));
          return Promise.resolve();
        },
      },
    });
    const plan = await tools(workshop).plan(null, stored);
    expect(plan).toMatchObject({ action: "delete", planned: null });
    expect(summaries(plan.diagnostics)).toEqual(["WARNING place Still In Use"]);
    const { stored: left, diagnostics } = await tools(workshop).destroy(stored);
    expect(left).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["WARNING place Still In Use"]);
    expect(seen).toEqual(["shed"]);
  });

  test("refuses the destruction", async () => {
    const workshop = await openWorkshop({
      handlers: {
        planDestroy: () => {
          throw new ProviderError({ summary: "Protected", detail: "Set on to false first." });
        },
        delete: () => {
          throw new Error("asked");
        },
      },
    });
    const plan = await tools(workshop).plan(null, stored);
    expect(plan.action).toBeUndefined();
    expect(summaries(plan.diagnostics)).toEqual(["ERROR - Protected"]);
    expect(await tools(workshop).destroy(stored)).toMatchObject({ stored });
  });

  test("is announced only by a provider that has one", async () => {
    const planDestroy = () => undefined;
    const asking = await openWorkshop({ handlers: { planDestroy } });
    for (const answer of [await asking.getProviderSchema({}), await asking.getMetadata({})]) {
      expect(answer.serverCapabilities).toMatchObject({ planDestroy: true });
    }
  });
});

test("lets the handler decide, with the draft, the state and its private state", async () => {
  const seen: unknown[] = [];
  const workshop = await openWorkshop({
    handlers: {
      plan({ config, prior, drafted }, { client, privateState, warn }) {
        seen.push(config.on, prior?.on, drafted.on, client.terraformVersion);
        privateState.set("round", String(Number(privateState.get("round") ?? 0) + 1));
        warn({ summary: "Mind The Blade", detail: "It is sharp.", path: ["toolName"] });
        return { place: "shed", toolId: "id-1" };
      },
    },
  });
  const { planned, diagnostics, private: kept } = await planTool(workshop, { toolName: "saw" });
  expect(seen).toEqual([null, undefined, true, "1.11.4"]);
  expect(planned).toMatchObject({ place: "shed", toolId: "id-1", etag: UNKNOWN });
  expect(summaries(diagnostics)).toEqual(["WARNING tool_name Mind The Blade"]);
  expect(Buffer.from(kept).toString()).toBe('{"round":"1"}');
});

test.each([
  ["an attribute that only the configuration may set", { pieces: 1 }, "pieces"],
  ["an attribute that the configuration has set", { on: false }, "on"],
  ["a list block", { hole: [{ width: 1 }] }, "hole"],
  ["a single block", { box: { lid: true } }, "box"],
  ["a nested attribute", { handle: { madeOf: "elm" } }, "handle.made_of"],
])("a handler that decides %s is at fault", async (_name, decisions, name) => {
  const workshop = await openWorkshop({ handlers: { plan: () => decisions } });
  const config = { toolName: "saw", on: true, handle: { madeOf: "oak" } };
  const { diagnostics } = await planTool(workshop, config);
  expect(summaries(diagnostics)).toEqual([`ERROR ${name} Unexpected Provider Plan`]);
  expect(details(diagnostics)).toContain(`The plan of shop_tool sets ${name}, which `);
  expect(details(diagnostics)).toContain("This is a bug in the provider");
});

test("a handler that names a path that does not exist is at fault", async () => {
  const plan: ToolHandlers["plan"] = (_draft, { requireReplace }) => {
    requireReplace(["handle", "colour"]);
    return {};
  };
  const workshop = await openWorkshop({ handlers: { plan } });
  const { diagnostics } = await planTool(workshop, { toolName: "saw" });
  expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
  expect(details(diagnostics)).toContain(
    "requireReplace needs a declared path (got handle.colour)",
  );
});

test("a handler that decides a value of another type is at fault, at its path", async () => {
  const plan = () => ({ place: 7 as unknown as string });
  const workshop = await openWorkshop({ handlers: { plan } });
  const { diagnostics } = await planTool(workshop, { toolName: "saw" });
  expect(summaries(diagnostics)).toEqual(["ERROR place Value Does Not Match The Schema"]);
});

test("a handler's error has the path of its attribute", async () => {
  const plan = (): never => {
    throw new ProviderError({ summary: "No Place", detail: "Set it.", path: ["place"] });
  };
  const workshop = await openWorkshop({ handlers: { plan } });
  const { diagnostics } = await planTool(workshop, { toolName: "saw" });
  expect(summaries(diagnostics)).toEqual(["ERROR place No Place"]);
});

test("a provider that was not configured plans only resources without a plan handler", async () => {
  const silent = await openWorkshop({ configured: false });
  expect((await planTool(silent, { toolName: "saw" })).diagnostics).toEqual([]);
  const asking = await openWorkshop({ configured: false, handlers: { plan: () => ({}) } });
  const { diagnostics } = await planTool(asking, { toolName: "saw" });
  expect(summaries(diagnostics)).toEqual(["ERROR - Provider Not Configured"]);
});
