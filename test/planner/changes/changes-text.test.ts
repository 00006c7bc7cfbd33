import { changesOf } from "../../../src/planner/changes/changes";
import { changesText, countsText } from "../../../src/planner/changes/changes-text";
import { readPlan } from "../../../src/planner/changes/plan-document";

type Change = Readonly<Record<string, unknown>>;

const resource = (name: string, change: Change, others: Change = {}): Change => ({
  address: `ids_endpoint.${name}`,
  change: { before_sensitive: {}, after_sensitive: {}, after_unknown: {}, ...change },
  ...others,
});

/** What people read of a plan with some resources. */
function read(resources: readonly Change[], outputs: Change = {}) {
  const plan = { resource_changes: resources, output_changes: outputs };
  const changes = changesOf(readPlan(JSON.stringify(plan)), (address) =>
    address.endsWith("_1234") ? { constructPath: "Group/one" } : {},
  );
  return { text: changesText(changes, false), counts: countsText(changes.counts), changes };
}

describe("the changes of a plan, for people", () => {
  it("are a block for each resource that changes, with a sign for what happens", () => {
    const { text, counts } = read([
      resource("same", { actions: ["no-op"], before: { a: 1 }, after: { a: 1 } }),
      resource("new", { actions: ["create"], before: null, after: { a: "x", b: null } }),
      resource("group_1234", { actions: ["update"], before: { a: "x" }, after: { a: "y" } }),
      resource(
        "moved",
        {
          actions: ["delete", "create"],
          before: { zone: "a" },
          after: { zone: "b" },
          replace_paths: [["zone"]],
        },
        { previous_address: "ids_endpoint.before" },
      ),
      resource(
        "old",
        { actions: ["delete"], before: { a: 1 }, after: null },
        { action_reason: "delete_because_no_resource_config" },
      ),
      resource("found", { actions: ["no-op"], importing: { id: "x/y" } }),
    ]);
    expect(text).toBe(`  + ids_endpoint.new
      + a = "x"
  ~ ids_endpoint.group_1234 (Group/one)
      ~ a = "x" → "y"
  -/+ ids_endpoint.moved: is replaced; moved from ids_endpoint.before
      ~ zone = "a" → "b" # forces replacement
  - ids_endpoint.old: is destroyed; no longer in the stack
  = ids_endpoint.found: imported from x/y
`);
    expect(counts).toBe("1 to import, 1 to add, 1 to change, 1 to replace, 1 to destroy");
  });

  it("list what a created resource gets only later in one line", () => {
    const { text } = read([
      resource("new", {
        actions: ["create"],
        before: null,
        after: { token: "s", a: 1 },
        after_unknown: { id: true, state: true },
        after_sensitive: { token: true },
      }),
    ]);
    expect(text).toBe(`  + ids_endpoint.new
      + a = 1
      + id, state = (known after apply)
      + token = (sensitive)
`);
  });

  it("contain outputs, but not those that cdktf makes for other stacks", () => {
    const output = (value: string, isSensitive: boolean): Change => ({
      actions: ["create"],
      before: null,
      after: value,
      after_unknown: false,
      before_sensitive: isSensitive,
      after_sensitive: isSensitive,
    });
    const { text } = read([], {
      address: output("10.0.0.1", false),
      token: output("hunter2", true),
      "cross-stack-output-ids_endpointedgename": output("x", false),
    });
    expect(text).toBe(`  + output address = "10.0.0.1"\n  + output token = (sensitive)\n`);
  });

  it("cut long texts, and let a terminal obey nothing", () => {
    const { text } = read([
      resource("new", {
        actions: ["create"],
        before: null,
        after: { escape: "\u001b[2J\u009b2J\u202e", long: "x".repeat(500), script: "a\nb\nc\n" },
      }),
    ]);
    expect(text).toContain(`escape = "\\u001b[2J\\u009b2J\\u202e"`);
    expect(text).toMatch(/long = "x{60}…" \(500 characters\)/);
    expect(text).toContain(`script = "a…" (4 lines)`);
  });

  it("have a line for each member of a value that does not fit on one", () => {
    const predicates = ["sbom.spdx.json", "provenance.json"].map((file) => ({
      file,
      predicate_type: "https://spdx.dev/Document",
      missing: null,
    }));
    const labels = Object.fromEntries(["a", "b", "c"].map((key) => [key, "x".repeat(40)]));
    const { text } = read([
      resource("new", { actions: ["create"], before: null, after: { predicates, short: ["a"] } }),
      resource("other", {
        actions: ["update"],
        before: { list: [labels, "kept"] },
        after: { list: [{ ...labels, d: "y" }, "kept"] },
      }),
    ]);
    expect(text).toMatchSnapshot();
    const longest = Math.max(...text.split("\n").map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(100);
  });
});
