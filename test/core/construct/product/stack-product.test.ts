import { TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import { ids } from "../../../../src";
import {
  product as trivet,
  productOf,
  providerSource,
  type Product,
} from "../../../../src/core/construct";
import { Fact, optionalComputed } from "../fact";

/** A product with its own names and enum values for an endpoint. */
const rival: Product = {
  name: "rival",
  environmentPrefix: "RIVAL",
  providers: {
    ids: {
      source: "example.com/rival/guard",
      version: "~> 3.1",
      typePrefix: "guard",
      names: {
        ids_endpoint: { traffic_logs: "log_traffic", "timeouts.create": "creation" },
        ids_fact: { tone: "mood" },
      },
      enums: {
        ids_endpoint: { severity: { HIGH: "red", LOW: "green" } },
        ids_fact: { topic: { weather: "sky" } },
      },
      refusals: {
        ids_endpoint: [
          {
            code: "INVALID_ARGUMENT",
            severity: "error",
            inputs: ["labels"],
            doc: () => "rival has no labels",
            broken: ({ labels }) =>
              labels === undefined
                ? undefined
                : { name: "labels", message: "must be left out: rival has no labels" },
          },
        ],
      },
    },
  },
};

function newStack(product: Product | undefined = rival): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "Demo");
  provide(stack, "ids", product);
  return stack;
}

/** Providers of this slice serve one product, but JavaScript can pass another one. */
function provide(
  stack: TerraformStack,
  id: string,
  product: Product | undefined,
  alias?: string,
): ids.IdsProvider {
  const props = { product, ...(alias !== undefined && { alias }) };
  return new ids.IdsProvider(stack, id, props);
}

const synthesized = (stack: TerraformStack): unknown => JSON.parse(Testing.synth(stack, true));

function problemsOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return "";
}

const full: ids.EndpointProps = {
  endpointId: "edge",
  network: "n",
  severity: "HIGH",
  trafficLogs: true,
  timeouts: { create: "1h", delete: "2h" },
};

describe("a stack of another product", () => {
  test("requires its provider, and has its types, names and enum values", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", full);
    new Fact(stack, "rain", { topic: "weather", tone: "dry" });
    expect(synthesized(stack)).toMatchObject({
      terraform: {
        required_providers: { guard: { source: "example.com/rival/guard", version: "~> 3.1" } },
      },
      provider: { guard: [{}] },
      resource: {
        guard_endpoint: {
          edge: {
            endpoint_id: "edge",
            network: "n",
            severity: "red",
            log_traffic: true,
            timeouts: { creation: "1h", delete: "2h" },
          },
        },
      },
      data: { guard_fact: { rain: { topic: "sky", mood: "dry" } } },
    });
    expect(Testing.synth(stack)).not.toContain("traffic_logs");
  });

  test("has them in HCL too", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", full);
    const { hcl } = stack.toHclTerraform() as { readonly hcl: string };
    expect(hcl).toContain('resource "guard_endpoint" "edge"');
    expect(hcl).toContain('provider "guard"');
    expect(hcl).toMatch(/guard = \{\s+version = "~> 3\.1"\s+source = "example.com\/rival\/guard"/);
    expect(hcl).toMatch(/severity\s+= "red"/);
    expect(hcl).toMatch(/log_traffic\s+= true/);
    expect(hcl).toMatch(/creation\s+= "1h"/);
    expect(hcl).not.toMatch(/traffic_logs|ids_endpoint/);
  });

  test("is referred to by its types and names", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", full);
    const rain = new Fact(stack, "rain", { topic: "weather", tone: edge.description });
    expect(optionalComputed(stack, [edge.fqn, edge.id, edge.trafficLogs, rain.answer])).toEqual([
      "${guard_endpoint.edge}",
      "${guard_endpoint.edge.id}",
      "${guard_endpoint.edge.log_traffic}",
      "${data.guard_fact.rain.answer}",
    ]);
    expect(
      optionalComputed(stack, edge.resource.interpolationForAttribute("timeouts.create")),
    ).toBe("${guard_endpoint.edge.timeouts.creation}");
    expect(synthesized(stack)).toHaveProperty(
      "data.guard_fact.rain.mood",
      "${guard_endpoint.edge.description}",
    );
  });

  test("has several providers, which resources choose by alias", () => {
    const stack = newStack();
    const provider = provide(stack, "east", undefined, "east");
    new ids.Endpoint(stack, "edge", { ...full, provider });
    expect(synthesized(stack)).toMatchObject({
      provider: { guard: [{}, { alias: "east" }] },
      resource: { guard_endpoint: { edge: { provider: "guard.east" } } },
    });
  });

  test("accepts tokens for enum values that differ", () => {
    const stack = newStack();
    const severity = new TerraformVariable(stack, "severity", {}).value as unknown;
    new ids.Endpoint(stack, "edge", { ...full, severity: Token.asAny(severity) });
    expect(synthesized(stack)).toHaveProperty(
      "resource.guard_endpoint.edge.severity",
      "${var.severity}",
    );
  });

  test("refuses what the product refuses, with all other problems and by our names", () => {
    const stack = newStack();
    expect(
      problemsOf(() => new ids.Endpoint(stack, "edge", { endpointId: "BAD", labels: { a: "b" } })),
    ).toMatch(
      /ids\.Endpoint at Demo\/edge: 2 problems\n {2}endpointId: .*\n {2}labels: must be left out: rival/,
    );
  });
});

describe("escape hatches in a stack of another product", () => {
  test("are accepted in the product's names and enum values", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", full);
    edge.addOverride("severity", "green");
    edge.addOverride("log_traffic", false);
    edge.addOverride("timeouts.creation", "3h");
    expect(synthesized(stack)).toHaveProperty("resource.guard_endpoint.edge", {
      endpoint_id: "edge",
      network: "n",
      severity: "green",
      log_traffic: false,
      timeouts: { creation: "3h", delete: "2h" },
    });
  });

  test("are checked, and reported by the properties' names", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", full);
    edge.resource.severity = "SEVERE";
    edge.addOverride("timeouts.creation", "soon");
    edge.addOverride("labels.a", "b");
    new Fact(stack, "rain", { topic: "weather" }).resource.topic = "news";
    const problems = problemsOf(() => Testing.synth(stack, true));
    expect(problems).toMatch(/Demo\/edge: 3 problems\n {2}severity: /);
    expect(problems).toContain("\n  timeouts.create: ");
    expect(problems).toContain("\n  labels: must be left out: rival has no labels");
    expect(problems).toContain("Demo/rain: 1 problem");
  });
});

describe("the choice of a product", () => {
  test("applies only to its stack", () => {
    const app = Testing.app();
    const [one, two] = ["One", "Two"].map((name) => new TerraformStack(app, name));
    if (one === undefined || two === undefined) throw new Error("no stacks");
    provide(one, "ids", rival);
    provide(two, "ids", undefined);
    for (const stack of [one, two]) new ids.Endpoint(stack, "edge", full);
    expect(synthesized(one)).toHaveProperty("resource.guard_endpoint.edge");
    expect(synthesized(two)).toHaveProperty("resource.ids_endpoint.edge");
    expect([productOf(one, "ids"), productOf(two, "ids")]).toEqual([rival, trivet]);
  });

  test("comes before the first construct of the slice", () => {
    const stack = new TerraformStack(Testing.app(), "Demo");
    new ids.Endpoint(stack, "edge", full);
    expect(problemsOf(() => provide(stack, "ids", rival))).toContain(
      'ids.IdsProvider at Demo/ids: 1 problem\n  product: must be set before the first ids construct of the stack, but Demo/edge already uses "trivet" (got "rival"): create this provider first',
    );
    provide(stack, "ids", trivet);
  });

  test("is the same for all providers of the slice", () => {
    const stack = newStack(rival);
    expect(problemsOf(() => provide(stack, "second", trivet, "second"))).toContain(
      'product: must be "rival", as in Demo/ids: all ids providers of a stack use the same product (got "trivet")',
    );
    provide(stack, "third", rival, "third");
  });

  test("needs a product that has the provider", () => {
    const other = { ...rival, providers: { workspace: own("workspace") } };
    expect(problemsOf(() => newStack(other))).toContain(
      'product: must be a product with a provider for ids (got "rival", which has workspace)',
    );
  });

  test("can be our provider in a custom product, with the version of this package", () => {
    const mine = { ...rival, providers: { ids: own("ids") } };
    const stack = newStack(mine);
    new ids.Endpoint(stack, "edge", { ...full, labels: { a: "b" } });
    const ours = newStack(trivet);
    new ids.Endpoint(ours, "edge", { ...full, labels: { a: "b" } });
    expect(synthesized(stack)).toEqual(synthesized(ours));
  });

  test("without a version leaves it to Terraform", () => {
    const provider = { source: "example.com/rival/guard", typePrefix: "guard" };
    const stack = newStack({ ...rival, providers: { ids: provider } });
    expect(synthesized(stack)).toHaveProperty("terraform.required_providers.guard", {
      source: "example.com/rival/guard",
    });
  });
});

const own = (name: string) => ({ source: providerSource(name), typePrefix: name });

test("our own product does not change a binding", () => {
  const stack = newStack(trivet);
  const { resource } = new ids.Endpoint(stack, "edge", full);
  expect(Object.hasOwn(resource, "synthesizeAttributes")).toBe(false);
  expect(Object.hasOwn(resource, "synthesizeHclAttributes")).toBe(false);
});
