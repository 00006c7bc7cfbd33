import { request } from "node:http";
import { connect } from "node:net";
import { provider as idsProvider } from "../../../src/core/ids/provider-definition";
import { ProviderCatalog } from "../../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../../src/planner/offline-plan/configuration";
import type { OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import {
  assumedState,
  planOffline,
  providerNames,
} from "../../../src/planner/offline-plan/planner";
import { emptyState, readState, type State } from "../../../src/planner/offline-plan/state";
import { withoutNetwork } from "../../../src/planner/offline-plan/without-network";
import { implement } from "../../../src/core/provider-kit";
import { providerRoutes } from "../../../src/core/provider-kit/server/calls/routes";
import { provider, required, resource, t } from "../../../src/core/schema";

type Json = Readonly<Record<string, unknown>>;

const source = "trivet.local/trivet/ids";
const routes = providerRoutes(idsProvider, {});
const catalog = ProviderCatalog.of((found) => (found === source ? routes : undefined));

const stack = (parts: Json, settings: Json = {}): Json => ({
  terraform: { required_providers: { ids: { source }, aws: { source: "hashicorp/aws" } } },
  provider: { ids: [{ project: "p", zone: "us-central1-a", ...settings }] },
  ...parts,
});

const edge = { endpoint_id: "edge", network: "projects/p/global/networks/n", severity: "HIGH" };
const endpoints = (named: Json): Json => ({ resource: { ids_endpoint: named } });

async function planned(
  json: Json,
  { state = emptyState, variables = {} }: { state?: State; variables?: Json } = {},
): Promise<OfflinePlan> {
  const configuration = readConfiguration(json);
  const providers = await catalog.start(providerNames(configuration));
  return await planOffline({ configuration, state, providers, variables });
}

async function deployed(json: Json): Promise<State> {
  const configuration = readConfiguration(json);
  const providers = await catalog.start(providerNames(configuration));
  const { state, diagnostics } = await assumedState({ configuration, providers });
  expect(diagnostics).toEqual([]);
  return state;
}

const actions = ({ resourceChanges }: OfflinePlan): Json =>
  Object.fromEntries(
    resourceChanges.map(({ address, change }) => [address, change.actions.join(" ")]),
  );
const errors = ({ diagnostics }: OfflinePlan): readonly string[] =>
  diagnostics
    .filter(({ severity }) => severity === "ERROR")
    .map(({ address, summary, detail }) => `${address}: ${summary}: ${detail}`);

describe("an offline plan", () => {
  it("has a resource with an attribute that is called text", async () => {
    const note = resource("notes_note", {
      doc: "",
      attributes: { text: required(t.string(), { doc: "" }) },
    });
    const nothing = () => Promise.reject(new Error("not in a plan"));
    const notes = {
      declaration: provider("notes", { doc: "", attributes: {} }),
      configure: () => undefined,
      resources: [
        implement(note)({ create: nothing, read: nothing, update: nothing, delete: nothing }),
      ],
    };
    const configuration = readConfiguration({
      terraform: { required_providers: { notes: { source: "acme/notes" } } },
      resource: { notes_note: { milk: { text: "We need milk." } } },
    });
    const providers = await catalog
      .with(new Map([["acme/notes", providerRoutes(notes, {})]]))
      .start(providerNames(configuration));
    const plan = await planOffline({ configuration, state: emptyState, providers });
    expect(plan.resourceChanges.map(({ change }) => change.after)).toEqual([
      { text: "We need milk." },
    ]);
  });

  it("needs no credentials, and does not look for any outside of this process", async () => {
    const plan = await planned(stack(endpoints({ a: edge })));
    expect(errors(plan)).toEqual([]);
    expect(actions(plan)).toEqual({ "ids_endpoint.a": "create" });
  });

  it("does not know the project of the credentials", async () => {
    const plan = await planned(stack(endpoints({ a: edge }), { project: null }));
    expect(errors(plan)).toEqual([]);
    expect(plan.resourceChanges[0]?.change.after_unknown).toMatchObject({
      project: true,
      id: true,
    });
  });

  it("refuses a reference to what the stack does not have", async () => {
    const plan = await planned(
      stack(endpoints({ b: { ...edge, network: "${aws_vpc.main.self_link}" } })),
    );
    expect(errors(plan)).toEqual([
      "ids_endpoint.b: Invalid expression: There is no aws_vpc.main in the stack.",
    ]);
  });

  it("names the resources of other providers, and what depends on them", async () => {
    const plan = await planned(
      stack({
        variable: { name: { type: "string" } },
        resource: {
          aws_vpc: { main: { cidr_block: "10.0.0.0/16" } },
          ids_endpoint: {
            a: { ...edge, description: "${aws_vpc.main.id} ${var.name}" },
            many: { ...edge, for_each: "${aws_vpc.main.zones}", endpoint_id: "${each.key}" },
          },
        },
      }),
    );
    expect(errors(plan)).toEqual([]);
    expect(plan.notPlanned).toEqual([
      { address: "aws_vpc.main", why: "other-provider", reasons: [] },
      {
        address: "ids_endpoint.many",
        why: "instances",
        reasons: [{ kind: "provider", of: "aws_vpc.main" }],
      },
    ]);
    expect(plan.unknowns).toContainEqual({
      address: "ids_endpoint.a",
      attribute: "description",
      reasons: [
        { kind: "provider", of: "aws_vpc.main" },
        { kind: "variable", of: "var.name" },
      ],
    });
  });

  it("refuses a number of instances that only an apply decides, as Terraform does", async () => {
    const plan = await planned(
      stack(endpoints({ a: edge, b: { ...edge, count: "${length(ids_endpoint.a.create_time)}" } })),
    );
    expect(errors(plan)).toEqual([
      "ids_endpoint.b: Invalid expression: The number of instances depends on ids_endpoint.a.create_time, " +
        "which is only known after the apply. Terraform needs it for the plan.",
    ]);
  });

  it("finds circles", async () => {
    const plan = await planned(
      stack(
        endpoints({
          a: { ...edge, description: "${ids_endpoint.b.id}" },
          b: { ...edge, description: "${ids_endpoint.a.id}" },
        }),
      ),
    );
    expect(errors(plan)).toEqual([
      "stack: Invalid expression: Circular references: " +
        "ids_endpoint.a → ids_endpoint.b → ids_endpoint.a.",
    ]);
  });

  it("applies prevent_destroy, conditions and rules", async () => {
    const state = await deployed(stack(endpoints({ a: edge })));
    const lifecycle = {
      prevent_destroy: true,
      postcondition: { condition: '${self.severity == "LOW"}', error_message: "too strict" },
    };
    const plan = await planned(
      stack(
        endpoints({
          a: { ...edge, location: "us-central1-b", lifecycle },
          c: { ...edge, severity: "X" },
        }),
      ),
      { state },
    );
    expect(errors(plan).map((text) => text.slice(0, 70))).toEqual([
      "ids_endpoint.a: The resource must not be destroyed: Its lifecycle has ",
      "ids_endpoint.a: A postcondition is not met: too strict",
      'ids_endpoint.c: Invalid Attribute Value: severity: must be one of "SEV',
    ]);
  });

  it("generates blocks, whose iterator is no resource", async () => {
    const timeouts = { for_each: ["${local.longest}"], content: { create: "${timeouts.value}" } };
    const named = {
      for_each: ["9m"],
      iterator: "each_time",
      content: { delete: "${each_time.value}" },
    };
    const plan = await planned(
      stack({
        locals: { longest: "7m" },
        ...endpoints({
          a: { ...edge, dynamic: { timeouts } },
          b: {
            ...edge,
            endpoint_id: "b",
            dynamic: { timeouts: [named] },
            labels: { dynamic: "x" },
          },
        }),
      }),
    );
    expect(errors(plan)).toEqual([]);
    expect(plan.resourceChanges.map(({ change }) => change.after)).toMatchObject([
      { timeouts: { create: "7m", delete: null } },
      { timeouts: { create: null, delete: "9m" }, labels: { dynamic: "x" } },
    ]);
  });

  it("marks what is sensitive, and refuses an output that would show it", async () => {
    const plan = await planned(
      stack({
        variable: { secret: { type: "string", sensitive: true } },
        ...endpoints({ a: { ...edge, description: "x-${var.secret}" } }),
        output: { text: { value: "${ids_endpoint.a.description}" } },
      }),
      { variables: { secret: "hidden" } },
    );
    expect(plan.resourceChanges[0]?.change.after_sensitive).toEqual({ description: true });
    expect(errors(plan)).toEqual([expect.stringContaining("Add `sensitive: true`")]);
    expect(JSON.stringify([plan.diagnostics, plan.unknowns])).not.toContain("hidden");
  });

  it("calls the functions of a provider", async () => {
    const name = '${provider::ids::endpoint_name("p", "us-central1-a", "x")}';
    const plan = await planned(
      stack({ output: { name: { value: name } }, ...endpoints({ a: edge }) }),
    );
    expect(errors(plan)).toEqual([]);
    expect(plan.outputChanges["name"]?.after).toBe(
      "projects/p/locations/us-central1-a/endpoints/x",
    );
  });

  it("compares with a stack that was never deployed, without showing what stands for its values", async () => {
    const before = stack({
      ...endpoints({
        a: edge,
        b: { ...edge, endpoint_id: "b", description: "${ids_endpoint.a.create_time}" },
      }),
    });
    const state = await deployed(before);
    const unchanged = await planned(before, { state });
    expect(actions(unchanged)).toEqual({ "ids_endpoint.a": "no-op", "ids_endpoint.b": "no-op" });
    expect(JSON.stringify(unchanged)).not.toContain("\u{f8ff}");
    const changed = stack(endpoints({ a: { ...edge, severity: "LOW" } }));
    const update = await planned(changed, { state });
    expect(actions(update)).toEqual({ "ids_endpoint.a": "update", "ids_endpoint.b": "delete" });
    // What the service decides only once, and what keeps its value, shows no difference.
    const unknown = { update_time: true };
    expect(update.resourceChanges[0]?.change.after_unknown).toEqual(unknown);
  });
});

test.each([[{}], [{ version: 3 }], [[]], [{ version: 4, resources: {} }]])(
  "refuses the state %j",
  (json) => {
    expect(() => readState(json)).toThrow(/^the (?:state|resources)/);
  },
);

describe("a run without the network", () => {
  it("opens no connection and starts no process, and says that something tried to", async () => {
    const http = await withoutNetwork(
      () =>
        new Promise((resolve, reject) => {
          request("http://127.0.0.1:1/", resolve).on("error", reject).end();
        }),
    );
    expect(http).toMatchObject({ wasTried: true, error: { code: "ENETUNREACH" } });
    const later = await withoutNetwork(async () => {
      await Promise.resolve();
      return connect(1, "127.0.0.1");
    });
    expect(later.wasTried).toBe(true);
    const { spawn } = await import("node:child_process");
    expect(await withoutNetwork(() => spawn("true"))).toMatchObject({ wasTried: true });
  });

  it("does not affect anything else", async () => {
    await withoutNetwork(() => undefined);
    const { execFileSync } = await import("node:child_process");
    expect(execFileSync("echo", ["x"], { encoding: "utf8" })).toBe("x\n");
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      connect(1, "127.0.0.1").on("error", resolve);
    });
    expect(error.code).toBe("ECONNREFUSED");
  });
});

test.each([
  ["/opt/tofu", true],
  ["terraform", undefined],
])("a function that only OpenTofu has is computed for OpenTofu: %s", async (program, value) => {
  const configuration = readConfiguration({
    output: { o: { value: '${cidrcontains("10.0.0.0/8", "10.0.0.1")}' } },
  });
  const input = { configuration, state: emptyState, providers: new Map(), program };
  const { outputChanges, diagnostics } = await planOffline(input);
  expect(diagnostics).toEqual([]);
  expect(outputChanges["o"]?.after).toBe(value);
  expect(outputChanges["o"]?.after_unknown).toBe(value === undefined);
});
