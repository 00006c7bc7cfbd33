import {
  App,
  Aspects,
  DefaultTokenResolver,
  Fn,
  StringConcat,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
  Tokenization,
} from "cdktf";
import type { IConstruct } from "constructs";
import fc from "fast-check";
import { Endpoint as EndpointBinding } from "../../../../bindings/providers/ids/endpoint";
import { ids } from "../../../../src";

type Props = Omit<ids.EndpointProps, "provider" | "dependsOn" | "severity" | "provisioners">;

/** Our construct and the plain binding, which take the same properties here. */
const classes = [
  ids.Endpoint,
  EndpointBinding as unknown as new (
    ...args: ConstructorParameters<typeof ids.Endpoint>
  ) => EndpointBinding,
] as const;

/** The stack with our construct and with the plain binding, as Terraform reads it. */
function bothWays(props: Props, change: (stack: TerraformStack) => void = () => undefined) {
  const [ours, bare] = [0, 1].map((index) => {
    const stack = new TerraformStack(Testing.app(), "stack");
    if (index === 0) new ids.Endpoint(stack, "edge", props);
    else new EndpointBinding(stack, "edge", structuredClone(props) as never);
    change(stack);
    return withoutMetadata(JSON.parse(Testing.synth(stack)));
  });
  return { ours, bare };
}

interface Synthesized {
  readonly "//": unknown;
}

function withoutMetadata(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: unknown) => (key === "//" ? undefined : inner));
  return JSON.parse(text);
}

const full: Props = {
  endpointId: "edge",
  network: "projects/p/global/networks/n",
  location: "us-central1-f",
  description: "",
  labels: { a: "b", empty: "" },
  threatExceptions: ["1", "2"],
  trafficLogs: false,
  timeouts: { create: "5m" },
  lifecycle: { preventDestroy: true, ignoreChanges: ["labels"] },
  count: 2,
};

const withoutLifecycle = { ...full, lifecycle: undefined };

describe("a resource without tokens is synthesized as cdktf does it", () => {
  test.each([
    ["everything set", full],
    ["no meta-arguments", { ...withoutLifecycle, count: undefined }],
    ["an empty lifecycle", { ...full, lifecycle: {} }],
    ["a lifecycle that says nothing", { ...full, lifecycle: { preventDestroy: undefined } }],
    ["a lifecycle with an order", { ...full, lifecycle: { createBeforeDestroy: false } }],
    ["an ignored list", { ...full, lifecycle: { ignoreChanges: "all" } }],
    [
      "conditions",
      { ...full, lifecycle: { precondition: [{ condition: "${1 > 0}", errorMessage: "e" }] } },
    ],
    ["a connection", { ...full, connection: { type: "ssh", host: "h" } }],
  ] as const)("with %s", (_, props) => {
    const { ours, bare } = bothWays(props as Props);
    expect(ours).toEqual(bare);
  });

  test("with a provider, dependencies, and its comment", () => {
    const stack = new TerraformStack(Testing.app(), "stack");
    const provider = new ids.IdsProvider(stack, "other", { alias: "other", project: "p" });
    const first = new ids.Endpoint(stack, "first", {
      endpointId: "first",
      network: "n",
      severity: "LOW",
    });
    const { resource } = new ids.Endpoint(stack, "edge", {
      ...withoutLifecycle,
      severity: "LOW",
      description: first.name,
      provider,
      dependsOn: [first],
    });
    const scope = { scope: stack, resolver: new DefaultTokenResolver(new StringConcat()) };
    const asCdktf: unknown = TerraformResource.prototype.toTerraform.call(resource);
    const expected: unknown = Tokenization.resolve(asCdktf, scope);
    expect(Tokenization.resolve(resource.toTerraform(), scope)).toEqual(expected);
    expect(expected).toMatchObject({
      resource: {
        ids_endpoint: {
          edge: {
            "//": { metadata: { path: "stack/edge/Default", uniqueId: "edge" } },
            depends_on: ["ids_endpoint.first"],
            description: "${ids_endpoint.first.name}",
            provider: "ids.other",
          },
        },
      },
    });
  });

  test("with a move, or an import", () => {
    const [ours, bare] = classes.map((Class) => {
      const stack = new TerraformStack(Testing.app(), "stack");
      const [moved, imported] = ["moved", "imported"].map(
        (id) => new Class(stack, id, { endpointId: id, network: "n", severity: "LOW" }),
      );
      moved?.moveFromId("ids_endpoint.old");
      imported?.importFrom("projects/p/locations/l/endpoints/imported");
      const { "//": comment, ...configuration } = stack.toTerraform() as Synthesized;
      return { comment, configuration: withoutMetadata(configuration) };
    });
    expect(ours).toEqual(bare);
    expect(ours).toMatchObject({
      comment: { metadata: { imports: { ids_endpoint: ["imported"] } } },
      configuration: {
        import: [{ to: "ids_endpoint.imported" }],
        moved: [{ from: "ids_endpoint.old", to: "ids_endpoint.moved" }],
      },
    });
  });

  test("with arbitrary strings", () => {
    const text = fc
      .string({ unit: "binary", maxLength: 12 })
      .map((each) => each.replaceAll("{", ""));
    const texts = fc.oneof(text, fc.constantFrom("e+2", "-1.8e+298", "\\", "#", "$", "1e5", "]}"));
    const property = fc.property(
      texts,
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), texts, { maxKeys: 3 }),
      fc.array(texts, { maxLength: 3 }),
      (description, labels, threatExceptions) => {
        const { ours, bare } = bothWays({ ...full, description, labels, threatExceptions });
        expect(ours).toEqual(bare);
      },
    );
    fc.assert(property, { numRuns: 60 });
  });

  test("with overrides of the stack", () => {
    const { ours, bare } = bothWays(full, (stack) => {
      stack.addOverride("resource.ids_endpoint.edge.labels.more", "c");
      stack.addOverride("resource.ids_endpoint.edge.description", "${var.text}");
    });
    expect(ours).toEqual(bare);
    expect(ours).toHaveProperty("resource.ids_endpoint.edge.labels", {
      a: "b",
      empty: "",
      more: "c",
    });
  });

  test("when an aspect adds a token", () => {
    const { ours, bare } = bothWays(full, (stack) => {
      Aspects.of(stack).add({
        visit(node: IConstruct) {
          if (!(node instanceof EndpointBinding)) return;
          const variable =
            stack.node.tryFindChild("text") ?? new TerraformVariable(stack, "text", {});
          if (variable instanceof TerraformVariable) node.description = variable.stringValue;
        },
      });
    });
    expect(ours).toEqual(bare);
    expect(ours).toHaveProperty("resource.ids_endpoint.edge.description", "${var.text}");
  });
});

describe("a reference to an attribute is written as cdktf does it", () => {
  test.each(["the same stack", "another stack"])("in %s", (where) => {
    const [ours, bare] = classes.map((Class) => {
      const app = new App({ outdir: Testing.app().outdir, skipValidation: true });
      const stack = new TerraformStack(app, "stack");
      const first = new Class(stack, "first", { ...full, count: undefined });
      const other = where === "the same stack" ? stack : new TerraformStack(app, "other");
      new Class(other, "second", {
        ...full,
        description: first.name,
        labels: { of: first.state },
        threatExceptions: ["1", first.endpointId],
      });
      app.synth();
      return withoutMetadata([stack, other].map((each) => each.toTerraform() as unknown));
    });
    expect(ours).toEqual(bare);
    expect(JSON.stringify(ours)).toContain(
      where === "the same stack" ? "${ids_endpoint.first.name}" : "remote_state",
    );
  });
});

describe("a resource with another token is left to cdktf", () => {
  test.each([
    ["a text", { description: `at ${Token.asString({ resolve: () => "x" })}` }],
    ["a list", { threatExceptions: Token.asList(Fn.concat([["1"], ["2"]])) }],
    ["a map", { labels: Token.asStringMap(Fn.merge([{ a: "b" }, { c: "d" }])) }],
    ["a number", { count: Token.asNumber(Fn.lengthOf(["1", "2"])) }],
    ["a value", { trafficLogs: Fn.tobool("true") }],
    ["a written expression", { description: "${upper(var.text)}" }],
  ] as const)("in %s", (_, props) => {
    const [ours, bare] = classes.map((Class) => {
      const stack = new TerraformStack(Testing.app(), "stack");
      new Class(stack, "edge", { ...full, ...props });
      return withoutMetadata(JSON.parse(Testing.synth(stack)));
    });
    expect(ours).toEqual(bare);
  });
});

test("the fragment of a resource can be resolved alone", () => {
  const stack = new TerraformStack(Testing.app(), "stack");
  const first = new ids.Endpoint(stack, "first", { ...full, count: undefined });
  const { resource } = new ids.Endpoint(stack, "edge", { ...full, description: first.name });
  const resolver = new DefaultTokenResolver(new StringConcat());
  const resolved: unknown = Tokenization.resolve(resource.toTerraform(), {
    scope: resource,
    resolver,
  });
  expect(resolved).toHaveProperty(
    "resource.ids_endpoint.edge.description",
    "${ids_endpoint.first.name}",
  );
});

test("the fragment of a resource can be serialized as JSON", () => {
  const stack = new TerraformStack(Testing.app(), "stack");
  const { resource } = new ids.Endpoint(stack, "edge", full);
  expect(JSON.parse(JSON.stringify(resource.toTerraform()))).toHaveProperty(
    "resource.ids_endpoint.edge.endpoint_id",
    "edge",
  );
});
