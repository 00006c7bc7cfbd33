import type { OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import { type Json, JudgedPlans, stackOf } from "./judged-plans";

/** One resource or more, by address: what is deployed, what replaces it, and what is planned. */
interface Case {
  readonly deployed: Json;
  readonly changed: Json;
  /** The actions, and the reason if there is one. */
  readonly planned: Readonly<Record<string, string>>;
}

const script = { agent_id: "agent-0", display_name: "x", script: "old", run_on_start: true };
const ignoring = { lifecycle: { ignore_changes: ["script"] } };
const replacedBy = (...addresses: readonly string[]) => ({ replace_triggered_by: addresses });
const endpoint = { network: "projects/p/global/networks/n", severity: "LOW" };

/** A generated block that does not use the value of its collection. */
const monitored = (forEach: unknown): Json => ({
  os: "linux",
  arch: "amd64",
  dynamic: {
    metadata: {
      for_each: forEach,
      content: { key: "cpu", display_name: "CPU", script: "top", interval: 1, timeout: 1 },
    },
    resources_monitoring: {
      for_each: forEach,
      content: { volume: [{ enabled: true, path: "/", threshold: 50 }] },
    },
  },
});

/** Each plans resources of its own, so that Terraform can plan all of them at once. */
const cases: Readonly<Record<string, Case>> = {
  "ignores that an ignored value becomes sensitive, or no longer is": {
    deployed: {
      "workspace_script.mark": script,
      "workspace_script.unmark": { ...script, script: "${var.secret}" },
    },
    changed: {
      "workspace_script.mark": { ...script, script: "${var.secret}", ...ignoring },
      "workspace_script.unmark": { ...script, ...ignoring },
    },
    planned: { "workspace_script.mark": "no-op", "workspace_script.unmark": "no-op" },
  },
  "creates a replacement from what the stack says, also where changes are ignored": {
    deployed: {
      "workspace_script.replacer": script,
      "ids_endpoint.all": { ...endpoint, endpoint_id: "all" },
      "ids_endpoint.one": { ...endpoint, endpoint_id: "one" },
      "workspace_script.secret": script,
    },
    changed: {
      "workspace_script.replacer": { ...script, script: "new" },
      "ids_endpoint.all": {
        ...endpoint,
        endpoint_id: "all",
        severity: "HIGH",
        lifecycle: { ignore_changes: "all", ...replacedBy("workspace_script.replacer") },
      },
      "ids_endpoint.one": {
        ...endpoint,
        endpoint_id: "other",
        severity: "HIGH",
        lifecycle: { ignore_changes: ["severity"] },
      },
      "workspace_script.secret": {
        ...script,
        script: "${var.secret}",
        lifecycle: { ignore_changes: ["script"], ...replacedBy("workspace_script.replacer") },
      },
    },
    planned: {
      "workspace_script.replacer": "update",
      "ids_endpoint.all": "delete create: replace_by_triggers",
      "ids_endpoint.one": "delete create: replace_because_cannot_update",
      "workspace_script.secret": "delete create: replace_by_triggers",
    },
  },
  "gives a trigger as the reason for a creation, too": {
    deployed: { "workspace_script.trigger": script },
    changed: {
      "workspace_script.trigger": { ...script, script: "new" },
      "workspace_script.first": { ...script, lifecycle: replacedBy("workspace_script.trigger") },
    },
    planned: {
      "workspace_script.trigger": "update",
      "workspace_script.first": "create: replace_by_triggers",
    },
  },
  "is not triggered by an attribute of what is created": {
    deployed: { "workspace_script.waiting": script },
    changed: {
      "workspace_script.created": script,
      "workspace_script.waiting": {
        ...script,
        script: "new",
        lifecycle: replacedBy("workspace_script.created.id"),
      },
    },
    planned: { "workspace_script.created": "create", "workspace_script.waiting": "update" },
  },
  "plans the resource of Terraform's own provider": {
    deployed: {
      "terraform_data.same": { input: { a: [1, "x"] }, triggers_replace: ["t"] },
      "terraform_data.input": { input: "old" },
      "terraform_data.empty": { input: "old" },
      "terraform_data.trigger": { triggers_replace: [1] },
      "terraform_data.gone": {},
    },
    changed: {
      "terraform_data.same": { input: { a: [1, "x"] }, triggers_replace: ["t"] },
      "terraform_data.input": { input: "${var.secret}" },
      "terraform_data.empty": {},
      "terraform_data.trigger": { input: "i", triggers_replace: [2] },
      "terraform_data.new": { input: "${terraform_data.input.output}" },
      "workspace_script.uses": { ...script, script: "${terraform_data.same.output.a[1]}" },
    },
    planned: {
      "terraform_data.same": "no-op",
      "terraform_data.input": "update",
      "terraform_data.empty": "update",
      "terraform_data.trigger": "delete create: replace_because_cannot_update",
      "terraform_data.new": "create",
      "terraform_data.gone": "delete: delete_because_no_resource_config",
      "workspace_script.uses": "create",
    },
  },
  "marks everything in the blocks of a sensitive collection": {
    deployed: {},
    changed: {
      "workspace_agent.whole": monitored("${toset([var.secret])}"),
      "workspace_agent.member": monitored("${{ a = var.secret }}"),
      "workspace_agent.sensitive": monitored("${sensitive(toset([1]))}"),
      "workspace_agent.plain": monitored(["a"]),
    },
    planned: Object.fromEntries(
      ["whole", "member", "sensitive", "plain"].map((name) => [
        `workspace_agent.${name}`,
        "create",
      ]),
    ),
  },
};

const old = { ...endpoint, endpoint_id: "old" };
const metadata = (resource_id: string, lifecycle: Json = {}): Json => ({
  resource_id,
  item: [{ key: "a", value: "x" }],
  lifecycle,
});
const referring = {
  "ids_endpoint.order": old,
  "workspace_metadata.order": metadata("${ids_endpoint.order.id}"),
};
const first = { create_before_destroy: true };

/** Changes whose order depends on what the state says of references. */
const orders: Readonly<Record<string, { deployed: Json; changed: Json; hasOrder: boolean }>> = {
  "finds no order if an object is created first whose old one refers to what is replaced": {
    deployed: referring,
    changed: {
      "ids_endpoint.order": { ...old, endpoint_id: "new" },
      "workspace_metadata.order": metadata("other", first),
    },
    hasOrder: false,
  },
  "finds no order if an object is created first whose old one refers to what is deleted": {
    deployed: referring,
    changed: { "workspace_metadata.order": metadata("other", first) },
    hasOrder: false,
  },
  "orders replacements of both": {
    deployed: referring,
    changed: {
      "ids_endpoint.order": { ...old, endpoint_id: "new" },
      "workspace_metadata.order": metadata("other"),
    },
    hasOrder: true,
  },
  "orders creations first of both": {
    deployed: referring,
    changed: {
      "ids_endpoint.order": { ...old, endpoint_id: "new" },
      "workspace_metadata.order": metadata("${ids_endpoint.order.id}", first),
    },
    hasOrder: true,
  },
  "orders the deletion of what has been created first": {
    deployed: {
      "ids_endpoint.order": old,
      "workspace_metadata.order": metadata("${ids_endpoint.order.id}", first),
    },
    changed: { "workspace_metadata.order": metadata("other", first) },
    hasOrder: true,
  },
};

let plans: JudgedPlans;
let ours: OfflinePlan;
let differences: readonly string[];

beforeAll(async () => {
  plans = await JudgedPlans.open();
  const all = Object.values(cases);
  await plans.deploy(stackOf(all.map(({ deployed }) => deployed)));
  ({ ours, differences } = await plans.plan(stackOf(all.map(({ changed }) => changed))));
});

afterAll(() => plans.close());

test.each(Object.entries(cases))("%s, as Terraform does", (_, { planned }) => {
  const own = Object.keys(planned);
  expect(differences.filter((text) => own.some((address) => text.startsWith(address)))).toEqual([]);
  const changes = ours.resourceChanges.filter(({ address }) => own.includes(address));
  const facts = changes.map(({ address, change, action_reason: reason }) => [
    address,
    [change.actions.join(" "), ...(reason === undefined ? [] : [reason])].join(": "),
  ]);
  expect(Object.fromEntries(facts)).toEqual(planned);
});

it("keeps the mark of a value that is ignored except by a replacement, other than Terraform", () => {
  const change = ours.resourceChanges.find(({ address }) => address === "workspace_script.secret");
  expect(change?.change.after).toMatchObject({ script: "hidden" });
  expect(change?.change.after_sensitive).toEqual({ script: true });
});

test.each(Object.entries(orders))(
  "%s, as Terraform does",
  async (_, { deployed, changed, hasOrder }) => {
    await plans.clear();
    await plans.deploy(stackOf([deployed]));
    const found = await plans.plan(stackOf([changed]));
    expect(found.differences).toEqual([]);
    const errors = found.ours.diagnostics.map(({ address, summary }) => `${address}: ${summary}`);
    expect(errors).toEqual(hasOrder ? [] : ["stack: Circular changes"]);
  },
);

it("compares the types and the marks of outputs, as Terraform does", async () => {
  const outputs = (values: Readonly<Record<string, Json>>) => stackOf([], { output: values });
  const list = { value: "${tolist([1])}" };
  const hidden = { value: "x", sensitive: "true" };
  const shown = { value: "x" };
  await plans.clear();
  await plans.deploy(outputs({ list, same: list, hidden, shown, kept: hidden, gone: hidden }));
  const found = await plans.plan(
    outputs({ list: { value: [1] }, same: list, hidden: shown, shown: hidden, kept: hidden }),
  );
  expect(found.differences).toEqual([]);
  const actions = Object.entries(found.ours.outputChanges).map(([name, each]) => [
    name,
    [...each.actions, each.before_sensitive, each.after_sensitive],
  ]);
  expect(Object.fromEntries(actions)).toEqual({
    list: ["update", false, false],
    same: ["no-op", false, false],
    hidden: ["update", true, true],
    shown: ["update", true, true],
    kept: ["no-op", true, true],
    gone: ["delete", true, true],
  });
});
