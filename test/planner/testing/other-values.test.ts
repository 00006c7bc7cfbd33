import {
  App,
  Fn,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import { ids } from "@trivet/constructs";
import { planMatchers, planOf } from "@trivet/constructs/testing";

expect.extend(planMatchers);

interface Parts {
  readonly network: string;
  readonly severity?: string;
  readonly threats?: string;
  readonly logs?: string;
  readonly output?: string;
}

/** A stack with an endpoint that uses values of another provider and of variables without values. */
class Mixed extends TerraformStack {
  readonly edge: ids.Endpoint;

  constructor({ network, severity = "HIGH", threats, logs, output }: Parts) {
    super(new App(), "mixed");
    new ids.IdsProvider(this, "ids", { project: "p", zone: "us-central1-a" });
    for (const id of ["a", "b"]) {
      new TerraformResource(this, id, { terraformResourceType: "google_network" });
    }
    for (const id of ["one", "two"]) new TerraformVariable(this, id, { type: "any" });
    this.edge = new ids.Endpoint(this, "edge", {
      endpointId: "edge",
      severity: severity as ids.EndpointProps["severity"],
      network,
    });
    if (threats !== undefined) this.edge.addOverride("threat_exceptions", threats);
    if (logs !== undefined) this.edge.addOverride("traffic_logs", logs);
    this.addOverride("locals", { net: "${google_network.a.id}", all: { x: "${var.one}" } });
    if (output !== undefined) new TerraformOutput(this, "o", { value: output });
  }
}

const expressions = [
  "${google_network.a.id}",
  "${google_network.b.id}",
  "${google_network.a.name}",
  "${google_network.a.peers[0].id}",
  "${google_network.a.peers[1].id}",
  "${var.one}",
  "${var.two}",
  "${var.one.name}",
  "x/${google_network.a.id}",
  "y/${google_network.a.id}",
  "${upper(google_network.a.id)}",
  "${lower(google_network.a.id)}",
  '${replace(google_network.a.id, "x", "y")}',
  '${replace(google_network.a.id, "x", "z")}',
  '${var.one == "x" ? google_network.a.id : google_network.b.id}',
  '${var.one == "x" ? google_network.b.id : google_network.a.id}',
  '${join(",", [for each in google_network.a.peers : each.id])}',
  '${join(",", [for each in google_network.a.peers : each.name])}',
  '${join(",", google_network.a.peers[*].id)}',
  "${terraform.workspace}",
];

test.each(expressions)("%s is the same in two stacks", async (network) => {
  const [from, stack] = [
    new Mixed({ network, output: network }),
    new Mixed({ network, output: network }),
  ];
  const plan = await planOf(stack, { from });
  expect(plan).toKeep(stack.edge);
  expect(plan.changes).toMatchObject({ resources: [], outputs: [] });
  const changed = new Mixed({ network, severity: "LOW" });
  expect(await planOf(changed, { from })).toUpdate(changed.edge, ["severity"]);
});

test.each(expressions.map((one, at) => [one, expressions[(at + 1) % expressions.length] ?? one]))(
  "%s is another value than %s",
  async (one, other) => {
    const from = new Mixed({ network: one, output: one });
    const stack = new Mixed({ network: other, severity: "LOW", output: other });
    const plan = await planOf(stack, { from });
    expect(plan).not.toUpdate(stack.edge, ["severity"]);
    expect(plan).toUpdate(stack.edge, ["network", "severity"]);
    expect(plan.changes?.outputs).toHaveLength(1);
  },
);

test.each([
  ["a local", "${local.net}", "${google_network.a.id}"],
  ["a member of a local", "${local.all.x}", "${var.one}"],
  ["an index with a name", '${google_network.a["id"]}', "${google_network.a.id}"],
  ["a function of a local", "${upper(local.net)}", "${upper(google_network.a.id)}"],
])("%s is what it stands for", async (_, one, other) => {
  const [from, stack] = [new Mixed({ network: one }), new Mixed({ network: other })];
  expect(await planOf(stack, { from })).toKeep(stack.edge);
});

test.each<readonly [string, Partial<Parts>, Partial<Parts>]>([
  ["a list", { threats: "${google_network.a.ids}" }, { threats: "${google_network.b.ids}" }],
  ["a bool", { logs: "${google_network.a.on}" }, { logs: "${google_network.b.on}" }],
])("%s has no text that could stand for it", async (_, one, other) => {
  const network = "${google_network.a.id}";
  const from = new Mixed({ network, ...one });
  const same = new Mixed({ network, ...one });
  expect(await planOf(same, { from })).toKeep(same.edge);
  const another = new Mixed({ network, ...other });
  expect(await planOf(another, { from })).not.toKeep(another.edge);
});

test("an impure function is never the same", async () => {
  const network = Fn.join("", ["${google_network.a.id}", Fn.uuid()]);
  const [from, stack] = [new Mixed({ network }), new Mixed({ network })];
  expect((await planOf(stack, { from })).changes?.counts.update).toBe(1);
});

test("the plan does not tell how a value of another provider compares with a deployed one", async () => {
  const attributes = {
    endpoint_id: "edge",
    network: "n",
    severity: "HIGH",
    traffic_logs: false,
    location: "us-central1-a",
    project: "p",
    state: "READY",
    id: "projects/p/locations/us-central1-a/endpoints/edge",
    name: "projects/p/locations/us-central1-a/endpoints/edge",
    create_time: "1",
    update_time: "2",
    endpoint_forwarding_rule: "rule",
    endpoint_ip: "10.0.0.1",
  };
  const provider = 'provider["trivet.local/trivet/ids"]';
  const instances = [{ schema_version: 0, attributes }];
  const state = {
    version: 4,
    resources: [{ mode: "managed", type: "ids_endpoint", name: "edge", provider, instances }],
  };
  const same = new Mixed({ network: "${google_network.a.id}" });
  const unsure = await planOf(same, { from: state });
  for (const ask of [
    () => {
      expect(unsure).toKeep(same.edge);
    },
    () => {
      expect(unsure).not.toKeep(same.edge);
    },
    () => {
      expect(unsure).toUpdate(same.edge);
    },
  ]) {
    expect(ask).toThrow("Not all values of ids_endpoint.edge are known");
  }
  const changed = new Mixed({ network: "${google_network.a.id}", severity: "LOW" });
  const plan = await planOf(changed, { from: state });
  expect(plan).toUpdate(changed.edge);
  expect(() => {
    expect(plan).toUpdate(changed.edge, ["severity"]);
  }).toThrow("does not show what changes");
});
