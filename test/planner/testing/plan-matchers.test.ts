import { App, TerraformOutput, TerraformResource, TerraformStack } from "cdktf";
import { expectShown, shown } from "../../docs/output";
import { ids, workspace } from "@trivet/constructs";
import { type Plan, planMatchers, planOf } from "@trivet/constructs/testing";
import { WatchStack } from "./watch-stack";

expect.extend(planMatchers);

const was = new WatchStack();
const same = new WatchStack();
const lower = new WatchStack({ severity: "LOW", labels: { team: "a" } });
const elsewhere = new WatchStack({ location: "us-central1-b" });
const renamed = new WatchStack({ id: "border" });

let created: Plan, kept: Plan, updated: Plan, replaced: Plan, moved: Plan;

beforeAll(async () => {
  created = await planOf(was);
  kept = await planOf(same, { from: was });
  updated = await planOf(lower, { from: was });
  replaced = await planOf(elsewhere, { from: was });
  moved = await planOf(renamed, { from: was });
});

/** The message with which an expectation fails. */
function failure(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the expectation did not fail");
}

test("toCreate", () => {
  expect(created).toCreate(was.edge);
  expect(created).toCreate("ids_endpoint.edge");
  expect(kept).not.toCreate(same.edge);
  expect(failure(() => expect(kept).toCreate(same.edge))).toBe(
    "expect(plan).toCreate(watch/edge)\n\nThe plan does not change ids_endpoint.edge.\n",
  );
  expect(failure(() => expect(created).not.toCreate(was.edge))).toMatch(
    /^expect\(plan\)\.not\.toCreate\(watch\/edge\)\n\nThe plan creates ids_endpoint\.edge\.\n[^]*\+ severity = "HIGH"/,
  );
});

test("toUpdate", () => {
  expect(updated).toUpdate(lower.edge);
  expect(updated).toUpdate(lower.edge, ["severity", "labels"]);
  expect(updated).toUpdate(lower.edge, ["severity", "labels", "update_time"]);
  expect(updated).not.toUpdate(lower.edge, ["severity"]);
  expect(kept).not.toUpdate(same.edge);
  expect(failure(() => expect(updated).toUpdate(lower.edge, ["severity", "network"]))).toBe(
    `expect(plan).toUpdate(watch/edge, ["severity","network"])

The plan updates ids_endpoint.edge.
It does not change network.
It also changes labels.

  ~ ids_endpoint.edge
      + labels = { team = "a" }
      ~ severity = "HIGH" → "LOW"
      + update_time = (known after apply)
`,
  );
  expect(failure(() => expect(updated).not.toUpdate(lower.edge))).toContain(
    "The plan updates ids_endpoint.edge.",
  );
  expect(failure(() => expect(replaced).toUpdate(elsewhere.edge, ["location"]))).toContain(
    "The plan replaces ids_endpoint.edge, because of location.\n",
  );
});

test("toReplace", () => {
  expect(replaced).toReplace(elsewhere.edge);
  expect(replaced).toReplace(elsewhere.edge, "location");
  expect(replaced).not.toReplace(elsewhere.edge, ["location", "network"]);
  expect(updated).not.toReplace(lower.edge);
  expect(failure(() => expect(replaced).toReplace(elsewhere.edge, "network"))).toContain(
    "The plan replaces ids_endpoint.edge, because of location.\n" +
      "network does not force it.\nlocation forces it, too.\n",
  );
  expect(failure(() => expect(replaced).not.toReplace(elsewhere.edge, "location"))).toContain(
    `expect(plan).not.toReplace(watch/edge, "location")\n\nThe plan replaces`,
  );
});

test("toDestroy", async () => {
  const empty = new TerraformStack(new App(), "watch");
  new ids.IdsProvider(empty, "ids", { project: "p", zone: "us-central1-a" });
  const plan = await planOf(empty, { from: was });
  expect(plan).toDestroy(was.edge);
  expect(replaced).not.toDestroy(elsewhere.edge);
  expect(failure(() => expect(plan).not.toDestroy(was.edge))).toContain(
    "The plan destroys ids_endpoint.edge: no longer in the stack.\n",
  );
  expect(failure(() => expect(replaced).toDestroy(was.edge))).toContain("The plan replaces");
});

test("toKeep", () => {
  expect(kept).toKeep(same.edge);
  expect(updated).not.toKeep(lower.edge);
  expect(failure(() => expect(kept).not.toKeep(same.edge))).toContain("does not change");
  expect(failure(() => expect(updated).toKeep(lower.edge))).toContain("The plan updates");
});

test("toChangeNothing", () => {
  expect(kept).toChangeNothing();
  expect(updated).not.toChangeNothing();
  expect(failure(() => expect(kept).not.toChangeNothing())).toBe(
    "expect(plan).not.toChangeNothing()\n\nThe plan changes nothing.\n",
  );
  expect(failure(() => expect(created).toChangeNothing())).toMatch(
    /The plan has 1 to add:\n\n {2}\+ ids_endpoint\.edge\n[^]*\+ output network = "projects\/p\/global/,
  );
});

test("a failure says how to keep a resource whose construct has another name", () => {
  const advice = 'call moveFromId("ids_endpoint.edge") on the construct of ids_endpoint.border.';
  const said = failure(() => expect(moved).toChangeNothing());
  expect(said).toContain(advice);
  expectShown(said, shown("docs/guide/testing-stacks.md", "failure"));
  expect(failure(() => expect(moved).toKeep(renamed.edge))).toContain(advice);
  expect(failure(() => expect(moved).not.toDestroy(was.edge))).toContain(advice);
});

test("a resource that has moved is kept, under both names", async () => {
  const stack = new WatchStack({ id: "border" });
  stack.edge.moveFromId("ids_endpoint.edge");
  const plan = await planOf(stack, { from: was });
  expect(plan).toKeep(stack.edge);
  expect(plan).toKeep(was.edge);
  expect(plan).toChangeNothing();
  expect(failure(() => expect(plan).not.toKeep(stack.edge))).toContain(
    "The plan does not change ids_endpoint.border, which has moved from ids_endpoint.edge.",
  );
});

test("is about all resources in a construct, and all instances of a resource", async () => {
  const stack = (count: number): WatchStack => {
    const made = new WatchStack({ id: "edges", output: false });
    made.edge.addOverride("count", count);
    made.edge.addOverride("endpoint_id", "edge${count.index}");
    return made;
  };
  const [one, two, none] = [stack(1), stack(2), stack(0)];
  expect(await planOf(two)).toCreate(two);
  const grown = await planOf(two, { from: one });
  // One is created, the other kept: neither all of them nor none.
  expect(failure(() => expect(grown).toCreate(two.edge))).toBe(
    "expect(plan).toCreate(watch/edges)\n\nThe plan does not change ids_endpoint.edges[0].\n",
  );
  expect(failure(() => expect(grown).not.toCreate(two.edge))).toContain(
    "\n\nThe plan creates ids_endpoint.edges[1].\n",
  );
  expect(grown).toCreate("ids_endpoint.edges[1]");
  expect(await planOf(none, { from: two })).toDestroy(two.edge);
  const nothing = await planOf(none);
  expect(nothing).not.toCreate(none.edge);
  expect(failure(() => expect(nothing).toCreate(none.edge))).toContain(
    "watch/edges has no instances.",
  );
});

describe("a stack with errors", () => {
  class Broken extends WatchStack {
    constructor() {
      super();
      new TerraformOutput(this, "lost", { value: "${var.missing}" });
    }
  }

  test("fails each expectation and its opposite, and says the errors", async () => {
    const stack = new Broken();
    const plan = await planOf(stack);
    const text = "There is no var.missing in the stack.";
    for (const expectation of [
      () => expect(plan).toCreate(stack.edge),
      () => expect(plan).not.toCreate(stack.edge),
      () => expect(plan).toChangeNothing(),
      () => expect(plan).not.toChangeNothing(),
    ]) {
      expect(failure(expectation)).toContain(text);
    }
  });

  test("can be expected", async () => {
    const plan = await planOf(new Broken());
    expect(plan).toRefuse("output.lost", "There is no var.missing");
    expect(plan).toRefuse("output.lost", /no VAR/i);
    expect(plan).not.toRefuse("output.lost", "something else");
    expect(failure(() => expect(plan).toRefuse("output.lost", "something else"))).toMatch(
      /^expect\(plan\)\.toRefuse\(output\.lost, "something else"\)\n\nThere is no such error\. The plan has these:\n\n {2}Error: [^]*no var\.missing/,
    );
    expect(failure(() => expect(plan).not.toRefuse("output.lost"))).toMatch(
      /There is such an error:\n\n {2}Error: [^]*no var\.missing/,
    );
    expect(failure(() => expect(kept).toRefuse(same.edge))).toContain("The plan has no error.");
  });
});

test("toWarnAbout finds warnings of constructs", async () => {
  const stack = new TerraformStack(new App(), "dev");
  new workspace.WorkspaceProvider(stack, "workspace");
  const metadata = new workspace.Metadata(stack, "facts", {
    items: [{ key: "a", value: "b" }],
  });
  const plan = await planOf(stack);
  expect(plan).toWarnAbout(metadata, "resourceId");
  expect(plan).not.toWarnAbout(metadata, /something else/);
  expect(failure(() => expect(plan).not.toWarnAbout(metadata))).toContain(
    "There is such a warning:\n\n  Warning: ",
  );
  expect(failure(() => expect(plan).toWarnAbout(metadata, /else/))).toContain(
    "There is no such warning.",
  );
});

describe("an expectation that has no answer fails, and so does its opposite", () => {
  const other = new TerraformStack(new App(), "other");
  const bucket = new TerraformResource(other, "bucket", { terraformResourceType: "aws_s3_bucket" });

  test.each([
    ["a typing error", "ids_endpoint.egde", `did you mean "ids_endpoint.edge"?`],
    ["a construct of another stack", bucket, "other/bucket is neither in the stack nor deployed"],
    ["a construct without resources", new App(), "has no resource"],
  ])("%s", (_, target, message) => {
    expect(failure(() => expect(kept).toKeep(target))).toContain(message);
    expect(failure(() => expect(kept).not.toKeep(target))).toContain(message);
  });

  test("a promise", () => {
    const promise = planOf(was);
    expect(failure(() => expect(promise).toCreate(was.edge))).toContain(
      "expect(await planOf(stack))",
    );
    expect(failure(() => expect(promise).not.toCreate(was.edge))).toContain("await");
    return promise;
  });

  test("a resource of another provider", async () => {
    const plan = await planOf(other);
    const message = "aws_s3_bucket.bucket is not planned: its provider cannot plan offline.";
    expect(failure(() => expect(plan).toCreate(bucket))).toContain(message);
    expect(failure(() => expect(plan).not.toCreate(bucket))).toContain(message);
    expect(failure(() => expect(plan).toChangeNothing())).toContain(
      "? aws_s3_bucket.bucket: its provider cannot plan offline",
    );
  });
});
