import type { OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import { type Json, JudgedPlans, scriptChanges, stackOf } from "./judged-plans";

type Move = readonly [from: string, to: string];

/** What is deployed, what replaces it, and what is planned. */
interface Case {
  /** The instances of `workspace_script`, such as `a` and `b[0]`. */
  readonly deployed: readonly string[];
  /** Resources by name, without what all have in common. */
  readonly changed: Readonly<Record<string, Json>>;
  readonly moved?: readonly Move[];
  readonly removed?: readonly Json[];
}

/** The actions by instance, with the instance that moved there, and with the reason. */
type Planned = Readonly<Record<string, string>>;

const plain = {};
const one = { count: 1 };
const two = { count: 2 };
const kept = { lifecycle: { destroy: false } };

/** Each has names of its own, so that Terraform can plan all of them at once. */
const cases: Readonly<Record<string, Case & { readonly planned: Planned }>> = {
  "moves nothing on by itself after an explicit move": {
    deployed: ["a1[0]", "a2"],
    changed: { b1: plain, b2: one },
    moved: [
      ["a1", "b1"],
      ["a2", "b2"],
    ],
    planned: {
      b1: "create",
      "b1[0]": "delete from a1[0]: delete_because_wrong_repetition",
      b2: "delete from a2: delete_because_wrong_repetition",
      "b2[0]": "create",
    },
  },
  "moves nothing by itself that a move names": {
    deployed: ["c1", "c2", "c3"],
    changed: { c1: two, c3: one },
    moved: [
      ["c2", "c1[1]"],
      ["c3[7]", "c4"],
    ],
    planned: {
      c1: "delete: delete_because_wrong_repetition",
      "c1[0]": "create",
      "c1[1]": "no-op from c2",
      c3: "delete: delete_because_wrong_repetition",
      "c3[0]": "create",
    },
  },
  "moves the only instance and the first one into each other": {
    deployed: ["d1", "d2[0]", "d2[1]", "d3", "d4"],
    changed: { d1: two, d2: plain, d3: { for_each: { x: 1 } }, d4: { count: 0 } },
    planned: {
      "d1[0]": "no-op from d1",
      "d1[1]": "create",
      d2: "no-op from d2[0]",
      "d2[1]": "delete: delete_because_wrong_repetition",
      d3: "delete: delete_because_wrong_repetition",
      'd3["x"]': "create",
      "d4[0]": "delete from d4: delete_because_count_index",
    },
  },
  "moves instances out of a resource and into it before the whole": {
    deployed: ['e1["x"]', 'e1["y"]', "e2", "e5"],
    changed: { e3: { for_each: { x: 1 } }, e4: plain, e6: one },
    moved: [
      ["e1", "e3"],
      ['e1["y"]', "e4"],
      ["e5", "e2b"],
      ["e2b", "e6[0]"],
    ],
    planned: {
      'e3["x"]': 'no-op from e1["x"]',
      e4: 'no-op from e1["y"]',
      "e6[0]": "no-op from e5",
      e2: "delete: delete_because_no_resource_config",
    },
  },
  "moves a whole resource only to where nothing is": {
    deployed: ["f1[0]", "f2[1]", "f3[0]", "f4[1]"],
    changed: { f2: two, f4: two },
    moved: [
      ["f1", "f2"],
      ["f3[0]", "f4[0]"],
    ],
    planned: {
      "f1[0]": "delete: delete_because_no_resource_config",
      "f2[0]": "create",
      "f2[1]": "no-op",
      "f4[0]": "no-op from f3[0]",
      "f4[1]": "no-op",
    },
  },
  "gives the reason for which something without a target is destroyed": {
    deployed: ["g1", "g2"],
    changed: { g4: one },
    moved: [
      ["g1", "g3"],
      ["g2", "g4[3]"],
    ],
    planned: {
      g3: "delete from g1: delete_because_no_move_target",
      "g4[0]": "create",
      "g4[3]": "delete from g2: delete_because_count_index",
    },
  },
  "forgets what is removed without a destruction, also from where it moved": {
    deployed: ["h1", "h2", "h4", "h5", "h6"],
    changed: {},
    moved: [["h2", "h3"]],
    removed: [
      { from: "h1", lifecycle: { destroy: "false" } },
      { from: "h3", ...kept },
      { from: "h4", ...kept },
      { from: "h4" },
      { from: "h5" },
      { from: "h5", ...kept },
      { from: "h6", lifecycle: [{ destroy: "0" }] },
    ],
    planned: {
      h1: "forget: delete_because_no_resource_config",
      h3: "forget from h2: delete_because_no_move_target",
      h4: "forget: delete_because_no_resource_config",
      h5: "delete: delete_because_no_resource_config",
      h6: "forget: delete_because_no_resource_config",
    },
  },
  "reads addresses and keys as Terraform does": {
    deployed: ['i1["a\\"b"]', 'i2["$${x}"]', "i3"],
    changed: { j1: plain, j2: plain, j3: plain },
    moved: [
      ['i1["a\\"b"]', "j1"],
      ['i2[ "$${x}" ]', "j2"],
      [" resource.workspace_script . i3", "j3"],
    ],
    planned: {
      j1: 'no-op from i1["a\\"b"]',
      j2: 'no-op from i2["$${x}"]',
      j3: "no-op from i3",
    },
  },
  "creates first what says so as a text": {
    deployed: ["k1", "k2"],
    changed: {
      k1: { lifecycle: { create_before_destroy: "true", replace_triggered_by: [script("k2")] } },
      k2: { script: "new", depends_on: [script("k2")] },
    },
    planned: { k1: "create delete: replace_by_triggers", k2: "update" },
  },
  "is triggered by no instance that leaves": {
    deployed: ["m1[0]", "m2", "m3", "m4"],
    changed: {
      m1: { count: 0 },
      m2: { lifecycle: { replace_triggered_by: ["workspace_script.m1[0]"] } },
      m3: { lifecycle: { replace_triggered_by: ["workspace_script.m1"] } },
      m4: {
        depends_on: ["resource.workspace_script.m1"],
        lifecycle: { replace_triggered_by: ["resource.workspace_script.m1[0]"] },
      },
    },
    planned: {
      "m1[0]": "delete: delete_because_count_index",
      m2: "no-op",
      m3: "no-op",
      m4: "no-op",
    },
  },
  "reads a count and a block as they can be written, too": {
    deployed: [],
    changed: { l1: { count: "2", lifecycle: [[{ prevent_destroy: "1" }]] } },
    planned: { "l1[0]": "create", "l1[1]": "create" },
  },
};

/** A stack that is refused: Terraform's summary, and all that we say. */
interface Refusal extends Partial<Case> {
  readonly terraform: string;
  readonly says: string;
  readonly others?: Json;
}

const still = "Moved object still exists";
const twice = "Ambiguous move statements";
const noReference = "Invalid expression";
const noFlag = "Unsuitable value type";
const guarded = { prevent_destroy: true };
const invalid = (address: string, text: string) => `${address}: Invalid configuration: ${text}`;
const noMove = (name: string, text: string) => `${script(name)}: Invalid moved block: ${text}`;
const undestroyed = (address: string) =>
  `${script(address)}: The resource must not be destroyed: Its lifecycle has prevent_destroy, but the plan destroys ` +
  "or replaces it. Undo the change that causes this, or remove prevent_destroy.";
const addressHint = "Write the address of one resource, such as ids_endpoint.edge.";

/** By the step at which Terraform refuses them: it names all that it finds at one step. */
const refusals: Readonly<Record<string, Readonly<Record<string, Refusal>>>> = {
  "the moves": {
    "the source is still there": {
      changed: { a1: plain, b1: plain },
      moved: [["a1", "b1"]],
      terraform: still,
      says: noMove(
        "b1",
        `${script("a1")} is still in the stack, so it has not moved to ${script("b1")}. ` +
          `Rename it to ${script("b1")}, or remove this moved block.`,
      ),
    },
    "the source is still there, without instances": {
      changed: { a2: { count: 0 } },
      moved: [["a2", "b2"]],
      terraform: still,
      says: noMove(
        "b2",
        `${script("a2")} is still in the stack, so it has not moved to ${script("b2")}. ` +
          `Rename it to ${script("b2")}, or remove this moved block.`,
      ),
    },
    "an instance is still there": {
      changed: { a3: one },
      moved: [["a3[0]", "b3"]],
      terraform: still,
      says: noMove(
        "b3",
        `${script("a3[0]")} is still in the stack, so it has not moved to ${script("b3")}. ` +
          `Rename it to ${script("b3")}, or remove this moved block.`,
      ),
    },
    "a source has two targets": {
      moved: [
        ["c1", "c2"],
        ["c1", "c3"],
      ],
      terraform: twice,
      says: noMove(
        "c3",
        `${script("c1")} cannot move to both ${script("c2")} and ${script("c3")}. Remove one of the two moved blocks.`,
      ),
    },
    "a target has two sources": {
      moved: [
        ["d1", "d3"],
        ["d2", "d3"],
      ],
      terraform: twice,
      says: noMove(
        "d3",
        `${script("d1")} and ${script("d2")} cannot both move to ${script("d3")}. Remove one of the two moved blocks.`,
      ),
    },
    "something moves to itself": {
      moved: [["e1", "e1"]],
      terraform: "Redundant move statement",
      says: noMove("e1", `${script("e1")} moves to itself. Remove this moved block.`),
    },
  },
  "a swap": {
    "two change places": {
      moved: [
        ["a", "b"],
        ["b", "a"],
      ],
      terraform: "Cyclic dependency in move statements",
      says: circle("a → b", "b → a"),
    },
  },
  "a circle": {
    "moves form a circle": {
      moved: [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
      terraform: "Cyclic dependency in move statements",
      says: circle("a → b", "b → c", "c → a"),
    },
  },
  "a circle of wholes and instances": {
    "a whole and its instance move to the same": {
      moved: [
        ["a", "b"],
        ['a["y"]', 'b["z"]'],
      ],
      terraform: "Cyclic dependency in move statements",
      says: circle("a → b", 'a["y"] → b["z"]'),
    },
  },
  "what is removed": {
    "it is still there": {
      changed: { a: plain },
      removed: [{ from: "a", ...kept }],
      terraform: "Removed resource still exists",
      says: invalid(
        script("a"),
        `${script("a")} is still in the stack, so it is not removed. ` +
          "Delete it from the stack, or delete the removed block that names it.",
      ),
    },
  },
  "another type": {
    "the provider cannot convert it": {
      deployed: ["other"],
      others: {
        moved: [{ from: script("other"), to: "workspace_env.other" }],
        resource: { workspace_env: { other: { agent_id: "agent-0", name: "X", value: "x" } } },
      },
      terraform: "Move Not Supported",
      says:
        "workspace_env.other: Move Not Supported: A workspace_script of trivet.local/trivet/workspace with schema " +
        "version 0 cannot be moved to a workspace_env. It supports moves from:\n" +
        [0, 1, 0, 1]
          .map((version, at) => {
            const registry = at < 2 ? "registry.terraform.io" : "registry.opentofu.org";
            return `  coder_env with schema version ${version} of ${registry}/coder/coder`;
          })
          .join("\n"),
    },
  },
  "what is destroyed": {
    "an instance leaves count": {
      deployed: ["p1[0]", "p1[1]"],
      changed: { p1: { ...one, lifecycle: guarded } },
      terraform: "Instance cannot be destroyed",
      says: undestroyed("p1[1]"),
    },
    "all leave count": {
      deployed: ["p2[0]"],
      changed: { p2: { count: 0, lifecycle: { prevent_destroy: "true" } } },
      terraform: "Instance cannot be destroyed",
      says: undestroyed("p2[0]"),
    },
    "a key leaves for_each": {
      deployed: ['p3["x"]', 'p3["y"]'],
      changed: { p3: { for_each: { x: 1 }, lifecycle: guarded } },
      terraform: "Instance cannot be destroyed",
      says: undestroyed('p3["y"]'),
    },
    "something else moved to where no instance is": {
      deployed: ["p4"],
      changed: { p5: { ...one, lifecycle: guarded } },
      moved: [["p4", "p5"]],
      terraform: "Instance cannot be destroyed",
      says: undestroyed("p5"),
    },
    "something is replaced": {
      deployed: ["p6", "p7"],
      changed: {
        p6: { lifecycle: { ...guarded, replace_triggered_by: [script("p7")] } },
        p7: { script: "new" },
      },
      terraform: "Instance cannot be destroyed",
      says: undestroyed("p6"),
    },
  },
  "a trigger": {
    "replace_triggered_by names what has no instance": {
      changed: {
        e: { count: 0 },
        f: { lifecycle: { replace_triggered_by: [script("e")] } },
      },
      terraform: "no change found for workspace_script.e in the root module",
      says: `${script("f")}: Invalid expression: replace_triggered_by names ${script("e")}, which has no instances.`,
    },
  },
  "what is written": {
    "removed has a key": {
      removed: [{ from: "a[0]", ...kept }],
      terraform: "Resource instance keys not allowed",
      says: invalid(
        "removed",
        `removed must name a whole resource. Write ${script("a")} instead of ${script("a[0]")}.`,
      ),
    },
    "removed is a data source": {
      others: { removed: [{ from: "data.workspace_owner.a" }] },
      terraform: "Data source address not allowed",
      says: invalid(
        "removed",
        "removed names the data source data.workspace_owner.a, of which the state keeps nothing. Remove this block.",
      ),
    },
    "moved has braces": {
      others: { moved: [{ from: "${workspace_script.a}", to: script("b") }] },
      terraform: noReference,
      says: invalid(
        "moved",
        'from contains "${workspace_script.a}", which is not an address. Write it without braces: "workspace_script.a".',
      ),
    },
    "moved has a part of a resource": {
      moved: [["a.id", "b"]],
      terraform: "Invalid address",
      says: invalid(
        "moved",
        `from contains "${script("a.id")}", which is not an address. ${addressHint}`,
      ),
    },
    "a resource moves to a module": {
      others: { moved: [{ from: script("a"), to: "module.b" }] },
      terraform: 'Invalid "moved" addresses',
      says: invalid(
        "moved",
        `from and to must both be resources, or both modules (got ${script("a")} and module.b).`,
      ),
    },
    "moved has another argument": {
      others: { moved: [{ from: script("a"), to: script("b"), until: "x" }] },
      terraform: "Extraneous JSON object property",
      says: invalid("moved", 'A moved block can contain from, to, but not "until".'),
    },
    ...flags(["${true}", '"${true}"'], ["TRUE", '"TRUE"'], [1, "1"], [null, "null"]),
    "a flag of removed is null": {
      removed: [{ from: "a", lifecycle: { destroy: null } }],
      terraform: noFlag,
      says: invalid("removed", "lifecycle.destroy must be true or false (got null)."),
    },
    "a flag of an output is no boolean": {
      others: { output: { o: { value: "x", sensitive: "yes" } } },
      terraform: noFlag,
      says: invalid("output.o", 'sensitive must be true or false (got "yes").'),
    },
    "a flag of a variable is no boolean": {
      others: { variable: { o: { nullable: "yes" } } },
      terraform: noFlag,
      says: invalid("var.o", 'nullable must be true or false (got "yes").'),
    },
    "a default is null, which is not allowed": {
      others: { variable: { o: { nullable: "yes" }, p: { nullable: "false", default: null } } },
      terraform: "Invalid default value for variable",
      says: invalid("var.p", "default is null, but nullable is false. Remove one of them."),
    },
    "lifecycle is there twice": {
      changed: { q1: { lifecycle: [guarded, {}] } },
      terraform: "Duplicate lifecycle block",
      says: invalid(script("q1"), "lifecycle must be one object."),
    },
    "lifecycle has another argument": {
      changed: { q2: { lifecycle: { prevent_destory: true } } },
      terraform: "Extraneous JSON object property",
      says: invalid(
        script("q2"),
        "lifecycle can contain create_before_destroy, prevent_destroy, ignore_changes, replace_triggered_by, " +
          'action_trigger, precondition, postcondition, but not "prevent_destory".',
      ),
    },
    "count and for_each are both there": {
      changed: { q3: { count: 1, for_each: {} } },
      terraform: 'Invalid combination of "count" and "for_each"',
      says: invalid(script("q3"), "count and for_each must not both be set. Remove one of them."),
    },
    "depends_on is no list": {
      changed: { q4: { depends_on: script("q1") } },
      terraform: noReference,
      says: invalid(script("q4"), "depends_on must be a list."),
    },
    "depends_on has braces": {
      changed: { q5: { depends_on: ["${workspace_script.q1}"] } },
      terraform: noReference,
      says: invalid(
        script("q5"),
        'depends_on contains "${workspace_script.q1}", which is not an address. ' +
          'Write it without braces: "workspace_script.q1".',
      ),
    },
    "ignore_changes is no list": {
      changed: { q6: { lifecycle: { ignore_changes: "script" } } },
      terraform: noReference,
      says: invalid(script("q6"), "lifecycle.ignore_changes must be a list."),
    },
    "ignore_changes has braces": {
      changed: { q7: { lifecycle: { ignore_changes: ["${script}"] } } },
      terraform: noReference,
      says: invalid(
        script("q7"),
        'ignore_changes contains "${script}", which is not the path of an attribute. ' +
          'Write paths such as "labels" or "option[0].name", or "all" instead of the list.',
      ),
    },
    "replace_triggered_by names two": {
      changed: {
        q8: { lifecycle: { replace_triggered_by: ["[workspace_script.q1, workspace_script.q2]"] } },
      },
      terraform: "Invalid replace_triggered_by expression",
      says: invalid(
        script("q8"),
        'lifecycle.replace_triggered_by contains "[workspace_script.q1, workspace_script.q2]", ' +
          `which is not an address. ${addressHint}`,
      ),
    },
    "a provider has two aliases": {
      changed: { q9: { provider: "workspace.a.b" } },
      terraform: "Invalid provider configuration reference",
      says: invalid(
        script("q9"),
        'provider must be a name such as "workspace" or "workspace.second" (got "workspace.a.b").',
      ),
    },
  },
};

function flags(...values: readonly (readonly [unknown, string])[]): Record<string, Refusal> {
  return Object.fromEntries(
    values.map(([value, text], at) => [
      `prevent_destroy is ${text}`,
      {
        changed: { [`r${at}`]: { lifecycle: { prevent_destroy: value } } },
        terraform: noFlag,
        says: invalid(
          script(`r${at}`),
          `lifecycle.prevent_destroy must be true or false (got ${text}).`,
        ),
      },
    ]),
  );
}

function circle(...moves: readonly string[]): string {
  const all = moves.map((move) => move.replaceAll(/\b[abc]\b/g, script("$&"))).join(", ");
  return (
    `moved: Invalid moved block: These moves form a circle: ${all}. ` +
    "A chain of moves must end at an address from which nothing moves. Remove one of them."
  );
}

/** What is refused where it is used, which Terraform checks after all of the above. */
const used: Readonly<Record<string, Refusal>> = {
  "depends_on names what is not there": {
    changed: { a: { depends_on: [script("nope")] } },
    terraform: "Reference to undeclared resource",
    says: invalid(
      script("a"),
      `depends_on names ${script("nope")}, which is not in the stack. Remove it, or correct the name.`,
    ),
  },
  "depends_on names a part": {
    changed: { b: { depends_on: [script("d.id")] }, d: plain },
    terraform: "Invalid depends_on reference",
    says: invalid(
      script("b"),
      `depends_on names a part of ${script("d")}. Write ${script("d")} instead.`,
    ),
  },
  "depends_on of an output names what is not there": {
    others: { output: { o: { value: "x", depends_on: [script("nope")] } } },
    terraform: "Reference to undeclared resource",
    says: invalid(
      "output.o",
      `depends_on names ${script("nope")}, which is not in the stack. Remove it, or correct the name.`,
    ),
  },
  "ignore_changes names what is not there": {
    changed: { c: { lifecycle: { ignore_changes: ["script", "all"] } } },
    terraform: "Unsupported attribute",
    says: `${script("c")}: Invalid expression: ignore_changes names all, which the resource does not have. Write "all" without a list.`,
  },
};

const body = { agent_id: "agent-0", display_name: "x", script: "old", run_on_start: true };
let plans: JudgedPlans;

beforeAll(async () => {
  plans = await JudgedPlans.open();
  await plans.deploy(stackOf([{ [script("only")]: body }]));
  const all: readonly Partial<Case>[] = [
    ...Object.values(cases),
    ...Object.values(refusals).flatMap((rows) => Object.values(rows)),
  ];
  await plans.spread(all.flatMap(({ deployed }) => (deployed ?? []).map(instanceOf)));
});

afterAll(() => plans.close());

/** The name and the key of an instance such as `b[0]`. */
function instanceOf(text: string): readonly [string, (string | number)?] {
  const [, name = "", key] = /^(\w+)(?:\[(.*)\])?$/.exec(text) ?? [];
  return key === undefined
    ? [name]
    : [name, JSON.parse(key.replace("$${", "${")) as string | number];
}

/** The address of a script by its name. An address stays as it is. */
function script(name: string): string {
  return /^(?: |data\.|workspace_)/.test(name) ? name : `workspace_script.${name}`;
}

const planOf = (all: readonly Partial<Case & Refusal>[]) =>
  plans.plan(
    stackOf(
      all.map(({ changed = {} }) =>
        Object.fromEntries(
          Object.entries(changed).map(([name, each]) => [script(name), { ...body, ...each }]),
        ),
      ),
      {
        ...Object.fromEntries(all.flatMap(({ others = {} }) => Object.entries(others))),
        moved: all.flatMap(({ moved = [], others: { moved: more = [] } = {} }) => [
          ...moved.map(([from, to]) => ({ from: script(from), to: script(to) })),
          ...(more as readonly Json[]),
        ]),
        removed: all.flatMap(({ removed = [], others: { removed: more = [] } = {} }) => [
          ...removed.map((each) => ({ ...each, from: script(String(each["from"])) })),
          ...(more as readonly Json[]),
        ]),
      },
    ),
  );

describe("a plan", () => {
  let ours: OfflinePlan;
  let differences: readonly string[];

  beforeAll(async () => {
    ({ ours, differences } = await planOf(Object.values(cases)));
  });

  test.each(Object.entries(cases))("%s, as Terraform does", (_, { planned }) => {
    const own = Object.keys(planned).map(script);
    const isOwn = (text: string) => own.some((address) => text.startsWith(`${address}:`));
    expect(differences.filter(isOwn)).toEqual([]);
    const changes = ours.resourceChanges.filter(({ address }) => own.includes(address));
    expect(scriptChanges(changes)).toEqual(planned);
  });

  it("differs nowhere else", () => {
    expect(differences).toEqual([]);
  });
});

describe.each(Object.entries({ ...refusals, "what is used": used }))(
  "a plan refuses %s, as Terraform does",
  (_, rows) => {
    let found: Awaited<ReturnType<typeof planOf>>;

    beforeAll(async () => {
      found = await planOf(Object.values(rows));
    });

    it("for as many reasons", () => {
      const expected = Object.values(rows).map(({ terraform }) => terraform);
      expect(found.refusals.toSorted()).toEqual(expected.toSorted());
    });

    test.each(Object.entries(rows))("if %s", (_name, { says }) => {
      const errors = found.ours.diagnostics.map(
        ({ address, summary, detail }) => `${address}: ${summary}: ${detail}`,
      );
      expect(errors).toContain(says);
      expect(errors).toHaveLength(Object.keys(rows).length);
    });
  },
);
