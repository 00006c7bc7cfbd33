import { forecastOf } from "../../../src/planner/changes/forecast";
import { parseRefusals, refusedChanges } from "../../../src/cli/deploy/refusal";
import type { OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import { readConfiguration } from "../../../src/planner/offline-plan/configuration";
import { assumedState, planOffline } from "../../../src/planner/offline-plan/planner";
import { readState } from "../../../src/planner/offline-plan/state";
import { type Json, JudgedPlans, scriptChanges, stackOf } from "./judged-plans";

/** What is deployed, what replaces it, and what is planned. Names without dots are those of `workspace_script`. */
interface Case {
  /** Each after the address of its module, with the key of the instance. */
  readonly deployed: readonly (readonly [name: string, key?: string | number])[];
  /** Calls of a module with a script `x`, by name. */
  readonly called?: Readonly<Record<string, Json>>;
  readonly changed?: Readonly<Record<string, Json>>;
  readonly moved?: readonly (readonly [from: string, to: string])[];
  readonly removed?: readonly Json[];
  /** The actions by instance, with the instance that moved there, and with the reason. */
  readonly planned: Readonly<Record<string, string>>;
}

const plain = {};
const one = { count: 1 };
const kept = { lifecycle: { destroy: false } };
const each = { for_each: { k: 1 } };

/** Each has names of its own, so that Terraform can plan all of them at once. */
const cases: Readonly<Record<string, Case>> = {
  "destroys what was in a module that is no longer called": {
    deployed: [["module.a.x"], ["module.a.x2", 1], ['module.a.module.in["a.\\"b"].x', "k"], ["a"]],
    changed: { a: { lifecycle: { prevent_destroy: true } } },
    planned: {
      "module.a.x": "delete: delete_because_no_resource_config",
      "module.a.x2[1]": "delete: delete_because_no_resource_config",
      'module.a.module.in["a.\\"b"].x["k"]': "delete: delete_because_no_resource_config",
      a: "no-op",
    },
  },
  "destroys what was in an instance that is no longer called": {
    deployed: [
      ["module.b1[0].x"],
      ["module.b1[1].x"],
      ['module.b2["k"].x'],
      ['module.b2["l"].x'],
      ["module.b3.x"],
      ["module.b4[0].x"],
    ],
    called: { b1: one, b2: each, b3: each, b4: { count: 0 } },
    planned: {
      "module.b1[1].x": "delete: delete_because_no_module",
      'module.b2["l"].x': "delete: delete_because_no_module",
      "module.b3.x": "delete: delete_because_no_module",
      "module.b4[0].x": "delete: delete_because_no_module",
    },
  },
  "moves the only instance and the first one": {
    deployed: [["module.c1.x"], ["module.c2[0].x"], ["module.c2[1].x"]],
    called: { c1: { count: 2 }, c2: plain },
    planned: {
      "module.c1.x": "delete: delete_because_no_module",
      "module.c2[0].x": "delete: delete_because_no_module",
      "module.c2[1].x": "delete: delete_because_no_module",
    },
  },
  "moves out of a module": {
    deployed: [
      ["module.d1.x"],
      ['module.d2["k"].x', 0],
      ["module.d3.module.in.x"],
      ["module.d4.x"],
    ],
    called: { d3: plain },
    changed: { d1: plain, d2: each, d3: plain },
    moved: [
      ["module.d1.x", "d1"],
      ['module.d2["k"].x[0]', 'd2["k"]'],
      ["module.d3.module.in.x", "d3"],
      ["module.d4.x", "d4"],
    ],
    planned: {
      d1: "no-op from module.d1.x",
      'd2["k"]': 'no-op from module.d2["k"].x[0]',
      d3: "no-op from module.d3.module.in.x",
      d4: "delete from module.d4.x: delete_because_no_move_target",
    },
  },
  "moves into a module": {
    deployed: [["e1"], ["e2", "k"], ["e3"], ["e4"]],
    called: { e1: plain, e2: each, e3: one },
    moved: [
      ["e1", "module.e1.x"],
      ['e2["k"]', 'module.e2["k"].x'],
      ["e3", "module.e3[1].x"],
      ["e4", "module.e4.x"],
    ],
    planned: {
      "module.e3[1].x": "delete from e3: delete_because_no_module",
      "module.e4.x": "delete from e4: delete_because_no_move_target",
    },
  },
  "moves a module": {
    deployed: [
      ["module.f1.x"],
      ["module.f2.x"],
      ["module.f3.x"],
      ['module.f4["l"].x'],
      ['module.f4["m"].x'],
      ["module.f6[0].x"],
      ["module.f6[1].x"],
    ],
    called: { g1: plain, g3: each, g4: { for_each: { l: 1 } }, g6: one },
    moved: [
      ["module.f1", "module.g1"],
      ["module.f2", "module.g2"],
      ["module.f3", 'module.g3["k"]'],
      ["module.f4", "module.g4"],
      ["module.f6[1]", "module.g6[0]"],
      ["module.f6[0]", "module.g6[7]"],
    ],
    planned: {
      "module.g2.x": "delete from module.f2.x: delete_because_no_move_target",
      'module.g4["m"].x': 'delete from module.f4["m"].x: delete_because_no_module',
      "module.g6[7].x": "delete from module.f6[0].x: delete_because_no_module",
    },
  },
  "moves a module only to where none is": {
    deployed: [["module.h1.x"], ["module.h2.x"], ["module.h3.x"], ["module.h4.y"]],
    called: { h2: plain, h4: plain },
    changed: { h4: plain },
    moved: [
      ["module.h1", "module.h2"],
      ["module.h3", "module.h4"],
      ["module.h4.y", "h4"],
    ],
    planned: {
      "module.h1.x": "delete: delete_because_no_resource_config",
      "module.h3.x": "delete: delete_because_no_resource_config",
      h4: "no-op from module.h4.y",
    },
  },
  "moves from one module through another, and within them": {
    deployed: [["module.i1.x"], ["module.i1.y"], ["module.i4.y"], ["module.i4.x"], ["i6"]],
    called: { i3: plain, i5: plain },
    changed: { i1: plain, i4: plain },
    moved: [
      ["module.i1", "module.i2"],
      ["module.i1.y", "i1"],
      ["module.i2", "module.i3"],
      ["module.i4", "module.i5"],
      ["module.i5.y", "i4"],
      ["i6", "module.i7.x"],
      ["module.i7", "module.i8"],
    ],
    planned: {
      i1: "no-op from module.i1.y",
      i4: "no-op from module.i4.y",
      "module.i8.x": "delete from i6: delete_because_no_move_target",
    },
  },
  "forgets what was in a module": {
    deployed: [
      ["module.j1.x"],
      ['module.j1.module.in["k"].x', 1],
      ["module.j2[0].x", "k"],
      ["module.j2[0].y"],
      ["module.j3.module.in.x"],
      ["module.j3.x"],
      ["module.j4.x"],
    ],
    moved: [["module.j4", "module.j5"]],
    removed: [
      { from: "module.j1", ...kept },
      { from: "module.j2.workspace_script.x", ...kept },
      { from: "module.j3.module.in", ...kept },
      { from: "module.j5", ...kept },
    ],
    planned: {
      "module.j1.x": "forget: delete_because_no_resource_config",
      'module.j1.module.in["k"].x[1]': "forget: delete_because_no_resource_config",
      'module.j2[0].x["k"]': "forget: delete_because_no_resource_config",
      "module.j2[0].y": "delete: delete_because_no_resource_config",
      "module.j3.module.in.x": "forget: delete_because_no_resource_config",
      "module.j3.x": "delete: delete_because_no_resource_config",
      "module.j5.x": "forget from module.j4.x: delete_because_no_move_target",
    },
  },
};

const body = { agent_id: "agent-0", display_name: "x", script: "old", run_on_start: true };
let plans: JudgedPlans;

beforeAll(async () => {
  plans = await JudgedPlans.open();
  await plans.deploy(stackOf([{ [script("only")]: body }]));
  await plans.writeModule("m", { resource: { workspace_script: { x: body } } });
  await plans.spread(Object.values(cases).flatMap(({ deployed }) => deployed));
});

afterAll(() => plans.close());

/** The address of a script by that of its module and its name. An address stays as it is. */
function script(text: string): string {
  const isAddress = /workspace_|(?:^|\.)module\.\w+(?:\[[^\].]*\])?$/.test(text);
  return isAddress ? text : text.replace(/\w+(?:\[[^\].]*\])?$/, "workspace_script.$&");
}

describe("a plan of a stack with modules", () => {
  let ours: OfflinePlan;
  let differences: readonly string[];

  beforeAll(async () => {
    const all = Object.values(cases);
    const called = all.flatMap((each) => Object.entries(each.called ?? {}));
    ({ ours, differences } = await plans.plan(
      stackOf(
        all.map(({ changed = {} }) =>
          Object.fromEntries(
            Object.entries(changed).map(([name, more]) => [script(name), { ...body, ...more }]),
          ),
        ),
        {
          module: Object.fromEntries(
            called.map(([name, more]) => [name, { source: "./m", ...more }]),
          ),
          moved: all.flatMap(({ moved = [] }) =>
            moved.map(([from, to]) => ({ from: script(from), to: script(to) })),
          ),
          removed: all.flatMap(({ removed = [] }) => removed),
        },
      ),
    ));
  });

  test.each(Object.entries(cases))("%s, as Terraform does", (_, { planned }) => {
    const own = new Set(Object.keys(planned).map(script));
    const changes = ours.resourceChanges.filter(({ address }) => own.has(address));
    expect(scriptChanges(changes)).toEqual(planned);
  });

  it("differs only in modules that it says are not planned", () => {
    const open = ours.notPlanned.map(({ address }) => address);
    const others = differences.filter(
      (each) =>
        !each.endsWith(" but we say undefined") || !open.some((one) => each.startsWith(one)),
    );
    expect(others).toEqual([]);
    const called = Object.values(cases).flatMap((each) => Object.keys(each.called ?? {}));
    expect(open.toSorted()).toEqual(called.map((name) => `module.${name}`).toSorted());
  });

  it("is refused by the type of what it destroys", () => {
    const { changes } = forecastOf(ours, () => ({}));
    const destroyed = (type: string) =>
      changes &&
      refusedChanges(changes, parseRefusals([`destroy:${type}`])).map(({ address }) => address);
    expect(destroyed("workspace_script")).toContain(
      'module.a.module.in["a.\\"b"].workspace_script.x["k"]',
    );
    expect(destroyed("module")).toEqual([]);
  });

  it.each([
    ["a module", { module: { a: { source: "./m" } } }, "module.a"],
    ["a resource of another provider", { resource: { aws_vpc: { a: {} } } }, "aws_vpc.a"],
  ])("does not know what %s has that is only in the older stack", async (_, before, address) => {
    const providers = new Map();
    const { state } = await assumedState({ configuration: readConfiguration(before), providers });
    const planned = (json: object) =>
      planOffline({ configuration: readConfiguration(json), state, providers });
    expect((await planned({})).notPlanned).toMatchObject([{ address }]);
    expect((await planned(before)).notPlanned).toHaveLength(1);
  });

  it("destroys nothing of a module whose instances are not known", async () => {
    const configuration = readConfiguration({
      variable: { n: {} },
      module: { a: { source: "./m", count: "${var.n}" } },
    });
    const state = readState({
      version: 4,
      resources: [
        {
          module: "module.a[0]",
          mode: "managed",
          type: "workspace_script",
          name: "x",
          provider: "",
          instances: [{ attributes: {} }],
        },
      ],
    });
    const { resourceChanges, notPlanned } = await planOffline({
      configuration,
      state,
      providers: new Map(),
    });
    expect(resourceChanges).toEqual([]);
    expect(notPlanned).toMatchObject([{ address: "module.a", why: "instances" }]);
  });
});
