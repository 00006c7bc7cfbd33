// The scenarios in examples/corner that need a newer Terraform than the tests have, or one that can defer: our own client
// of the protocol stands in for it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { corner } from "../../examples/corner/provider";
import { groups } from "../../examples/corner/scenarios";
import { providerRoutes } from "../../src/core/provider-kit";
import {
  createTerraformHarness,
  type ResourceHarness,
  startProvider,
  type StartedProvider,
  type TerraformHarness,
  WireValues,
} from "../../src/core/provider-kit/testing";

const { declaration: settings, resources, listResources = [], actions = [] } = corner();
const folder = mkdtempSync(join(tmpdir(), "corner-client-"));

let client: StartedProvider;
let terraform: TerraformHarness;

beforeEach(async () => {
  client = await startProvider(providerRoutes(corner()));
  terraform = createTerraformHarness(client, { allowDeferral: true });
});
afterEach(() => {
  client.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function declarationOf(type: string) {
  const found = resources.find(({ declaration }) => declaration.type === type);
  if (found === undefined) throw new Error(`${type} is no resource`);
  return found.declaration;
}

/** A resource of a provider with these settings. */
async function resource(type: string, deferral?: boolean): Promise<ResourceHarness> {
  expect(await terraform.configure(settings, { deferral })).toEqual([]);
  return terraform.resource(declarationOf(type));
}

/** What shows each of these scenarios, by its name. */
const shown: Readonly<Record<string, () => Promise<void>>> = {
  async "a deferral of everything by the settings"() {
    const all = await resource("corner_deferred_action", true);
    const deferred = { deferral: "PROVIDER_CONFIG_UNKNOWN", diagnostics: [] };
    expect(await all.plan({ id: "wrong" })).toMatchObject(deferred);
    expect(await all.plan({ id: "test_id", modifyPlanDeferral: true })).toMatchObject(deferred);
  },

  async "a deferral of everything, with the check of the plan"() {
    const all = await resource("corner_deferred_action_plan_modification", true);
    expect(await all.plan({ id: "wrong" })).toMatchObject({
      diagnostics: [{ summary: "Invalid ID" }],
    });
    expect(await all.plan({ id: "test_id" })).toMatchObject({
      deferral: "PROVIDER_CONFIG_UNKNOWN",
      diagnostics: [],
    });
    expect(await all.plan({ id: "test_id", modifyPlanDeferral: true })).toMatchObject({
      deferral: "RESOURCE_CONFIG_UNKNOWN",
      diagnostics: [],
    });
  },

  async "a deferral of a plan"() {
    const all = await resource("corner_deferred_action");
    expect(await all.plan({ id: "test_id", modifyPlanDeferral: true })).toMatchObject({
      deferral: "RESOURCE_CONFIG_UNKNOWN",
      diagnostics: [],
    });
    const { stored, deferral } = await all.deploy({ id: "test_id" });
    expect([stored?.state, deferral]).toMatchObject([{ id: "test_id" }, undefined]);
  },

  async "a deferral of a read"() {
    const all = await resource("corner_deferred_action");
    const { stored } = await all.deploy({ id: "test_id", readDeferral: true });
    if (stored === undefined) throw new Error("nothing was created");
    expect(await all.read(stored)).toMatchObject({ deferral: "RESOURCE_CONFIG_UNKNOWN" });
  },

  async "a deferral of an import"() {
    const all = await resource("corner_deferred_action");
    expect(await all.import("deferral-id")).toMatchObject({ deferral: "RESOURCE_CONFIG_UNKNOWN" });
    expect(await all.import("test_id")).toMatchObject({ stored: { state: { id: "test_id" } } });
  },

  async "an action before a creation and after an update"() {
    const [implementation] = actions;
    if (implementation === undefined) throw new Error("there is no action");
    await terraform.configure(settings);
    const action = terraform.action(implementation.declaration);
    const filename = join(folder, "written.txt");
    const config = { filename, content: "test data" };
    expect(await action.plan({ ...config, planError: true })).toMatchObject([
      { summary: "Plan Refused" },
    ]);
    expect(await action.plan(config)).toEqual([]);
    const events = [];
    for await (const event of action.invoke(config)) events.push(event);
    expect(events).toEqual([
      { progress: `Writing ${filename}` },
      { completed: { diagnostics: [] } },
    ]);
    expect(readFileSync(filename, "utf8")).toBe("test data");
  },

  async "a list of resources"() {
    const [implementation] = listResources;
    if (implementation === undefined) throw new Error("there is no list");
    await terraform.configure(settings);
    const names: string[] = [];
    for await (const found of terraform
      .listResource(implementation.declaration)
      .list({ filter: "plat" }, { includeResource: true })) {
      names.push(found.displayName);
      expect(found.state).toMatchObject({ ...found.identity, name: found.displayName });
    }
    expect(names).toEqual(["plateau", "platinum", "platypus"]);
  },

  async "a resource with an identity, and imports by it"() {
    const all = await resource("corner_identity");
    const { stored } = await all.deploy({ name: "tom" });
    expect(stored?.identity).toEqual({ id: "id-123", name: "tom" });
    for (const target of ["id-123", { identity: { id: "id-123" } }]) {
      expect(await all.import(target)).toMatchObject({
        stored: { state: { id: "id-123", name: "tom" }, identity: { id: "id-123", name: "tom" } },
      });
    }
  },

  async "an identity that changes"() {
    const all = await resource("corner_identity");
    const { stored, diagnostics } = await all.deploy({ name: "jerry" });
    expect(diagnostics).toEqual([]);
    if (stored === undefined) throw new Error("nothing was created");
    const { diagnostics: refused } = await all.read(stored);
    expect(JSON.stringify(refused)).toContain("identity");
  },

  async "a move with the identity of its source"() {
    await terraform.configure(settings);
    const answer = await client.moveResourceState({
      sourceProviderAddress: "trivet.local/trivet/corner",
      sourceTypeName: "corner_identity",
      sourceSchemaVersion: 0,
      sourceState: { json: Buffer.from(`{"id":"id-123","name":"jerry"}`) },
      targetTypeName: "corner_move_state",
      sourceIdentity: { json: Buffer.from(`{"id":"id-123","name":"tom"}`) },
      sourceIdentitySchemaVersion: 0,
    });
    expect(answer.diagnostics).toEqual([]);
    const target = new WireValues(declarationOf("corner_move_state"));
    expect(target.decode(answer.targetState)).toEqual({ movedRandomString: "tom" });
  },
};

const scenarios = Object.values(groups).flat();

test("each scenario that names this file is here, and no other", () => {
  const named = scenarios.filter(({ instead }) => instead?.includes("test/e2e/corner-client"));
  expect(Object.keys(shown).toSorted()).toEqual(named.map(({ name }) => name).toSorted());
});

test.each(Object.entries(shown))("%s", async (_name, show) => {
  await show();
});
