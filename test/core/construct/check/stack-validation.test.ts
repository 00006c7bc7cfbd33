import { App, TerraformResource, TerraformStack, TerraformVariable, Testing } from "cdktf";
import type { Construct } from "constructs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Endpoint as RawEndpoint } from "../../../../bindings/providers/ids/endpoint";
import { ids, signing, workspace } from "../../../../src";

const newStack = (name = "Demo", scope: Construct = Testing.app()): TerraformStack => {
  const stack = new TerraformStack(scope, name);
  new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });
  return stack;
};

function problemsOf(stack: TerraformStack): string {
  try {
    Testing.synth(stack, true);
  } catch (error) {
    return String(error);
  }
  return "";
}

const endpoint = {
  location: "us-central1-a",
  network: "projects/p/global/networks/n",
  severity: "LOW",
} as const;

describe("a stack without the provider of a resource", () => {
  test("is refused with the class to add, for the first resource of each provider", () => {
    const stack = new TerraformStack(Testing.app(), "Demo");
    for (const id of ["first", "second"]) {
      new ids.Endpoint(stack, id, { endpointId: id, network: "n", severity: "LOW" });
    }
    new workspace.DataWorkspace(stack, "build");
    new signing.Copy(stack, "copy", { source: `a/b@sha256:${"a".repeat(64)}`, destination: "c/d" });
    const problems = problemsOf(stack);
    expect(problems).toContain(
      'ids.Endpoint at Demo/first: 1 problem\n  needs a provider in its stack: add `new ids.IdsProvider(this, "ids", { … })`',
    );
    for (const added of ["new workspace.WorkspaceProvider(", "new signing.SigningProvider("]) {
      expect(problems).toContain(added);
    }
    expect(problems).not.toContain("Demo/second");
    expect(problems).not.toContain("RandomProvider");
    for (const { name } of [
      ids.IdsProvider,
      workspace.WorkspaceProvider,
      signing.SigningProvider,
    ]) {
      expect(problems).toContain(`.${name}(`);
    }
  });

  test("is refused if the providers that it has have an alias, and none is passed", () => {
    const stack = new TerraformStack(Testing.app(), "Demo");
    const provider = new ids.IdsProvider(stack, "ids", { project: "p", alias: "second" });
    new ids.Endpoint(stack, "first", { ...endpoint, endpointId: "first", provider });
    const other = new ids.Endpoint(stack, "other", { ...endpoint, endpointId: "other" });
    other.resource.addOverride("provider", "ids.second");
    expect(problemsOf(stack)).toBe("");
    new ids.Endpoint(stack, "second", { ...endpoint, endpointId: "second" });
    expect(problemsOf(stack)).toContain(
      "ids.Endpoint at Demo/second: 1 problem\n  needs the default provider, but those in its stack have an alias: pass one as `provider`, or add `new ids.IdsProvider(",
    );
  });

  test("is refused if only a stack inside it has the provider", () => {
    const outer = new TerraformStack(Testing.app(), "Outer");
    new ids.Endpoint(outer, "edge", { endpointId: "edge", network: "n", severity: "LOW" });
    newStack("Inner", outer);
    expect(problemsOf(outer)).toContain("Outer/edge: 1 problem\n  needs a provider in its stack");
  });

  test("is accepted with the provider of its product", () => {
    const stack = new TerraformStack(Testing.app(), "Demo");
    new workspace.WorkspaceProvider(stack, "coder", { product: workspace.products.coder });
    new workspace.DataWorkspace(stack, "build");
    expect(problemsOf(stack)).toBe("");
  });
});

test("a problem across constructs names the line that creates the construct", () => {
  const stack = newStack();
  const declareHere = (id: string) =>
    new ids.Endpoint(stack, id, { endpointId: "edge", network: "n", severity: "LOW" });
  declareHere("first");
  declareHere("second");
  expect(problemsOf(stack)).toMatch(
    /ids\.Endpoint at Demo\/second: 1 problem\n {2}endpointId: .*\n {4}at declareHere \(.*stack-validation\.test\.ts:\d+:\d+\)\n/,
  );
});

test("a problem of a part names the line that adds the part, not that of the library", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace");
  const agent = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
  const addHere = () => agent.addApp("web", { url: "http://localhost:1" });
  addHere().addOverride("slug", "-");
  expect(problemsOf(stack)).toMatch(
    /workspace\.App at Demo\/main\/web: 1 problem\n {2}slug: .*\n {4}at addHere \(/,
  );
});

describe("escape hatches are checked on what Terraform will read", () => {
  test("a setter of the binding", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", { endpointId: "edge" }).resource.endpointId = "BAD";
    expect(problemsOf(stack)).toContain(
      '[Demo] ids.Endpoint at Demo/edge: 1 problem\n  endpointId: must start with a lowercase letter (got "BAD")',
    );
  });

  test("addOverride, also inside a block", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", {
      endpointId: "edge",
      timeouts: { create: "1h" },
    });
    edge.addOverride("severity", "SEVERE");
    edge.addOverride("timeouts.create", "soon");
    expect(problemsOf(stack)).toMatch(/2 problems\n {2}severity: .*\n {2}timeouts\.create: /);
  });

  test("an override of an unknown attribute", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", { endpointId: "edge" }).addOverride("colour", "red");
    expect(problemsOf(stack)).toContain("colour: is not a property");
  });

  test("a misused token in a setter", () => {
    const stack = newStack();
    const variable = new TerraformVariable(stack, "v", {});
    new ids.Endpoint(stack, "edge", { endpointId: "edge" }).resource.threatExceptions = [
      ...variable.listValue,
      "1",
    ];
    // cdktn resolves the values of a stack before it validates them.
    const validate = (): void => stack.runAllValidations();
    expect(validate).toThrow("threatExceptions: must not spread a list token");
  });

  test("a setting of the provider", () => {
    const stack = new TerraformStack(Testing.app(), "Demo");
    const provider = new ids.IdsProvider(stack, "ids", { accessToken: "t" });
    provider.resource.credentials = "c";
    expect(problemsOf(stack)).toContain("ids.IdsProvider at Demo/ids: 1 problem\n  accessToken: ");
  });

  test("valid values are accepted", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", { endpointId: "edge", labels: { a: "b" } });
    edge.resource.endpointId = "other";
    edge.addOverride("labels.c", "d");
    edge.addOverride("provider", "ids.x");
    expect(problemsOf(stack)).toBe("");
  });
});

describe("two endpoints with one full name", () => {
  const declare = (first: object, second: object): string => {
    const stack = newStack();
    new ids.Endpoint(stack, "a", { endpointId: "edge", ...first });
    new ids.Endpoint(stack, "b", { endpointId: "edge", ...second });
    return problemsOf(stack);
  };

  test("are refused, naming both", () => {
    const place = { project: "p", location: "us-central1-f" };
    expect(declare(place, place)).toContain(
      '[Demo] ids.Endpoint at Demo/b: 1 problem\n  endpointId: must differ from that of Demo/a, which has the same project and location (got "edge")',
    );
  });

  test("are refused when both get their location from the provider", () => {
    expect(declare({}, {})).toContain("Demo/a");
  });

  test("are refused when a setter causes the clash", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "a", { endpointId: "edge" });
    new ids.Endpoint(stack, "b", { endpointId: "rim" }).resource.endpointId = "edge";
    expect(problemsOf(stack)).toContain("Demo/a");
  });

  test("are accepted when a part differs", () => {
    expect(declare({ endpointId: "rim" }, {})).toBe("");
    expect(declare({ location: "us-central1-a" }, { location: "us-central1-f" })).toBe("");
    expect(declare({ project: "p" }, { project: "q" })).toBe("");
  });

  test("are accepted when a part is not known, or only in one of them", () => {
    expect(declare({ project: "${var.p}" }, { project: "${var.p}" })).toBe("");
    expect(declare({ project: "p" }, {})).toBe("");
  });

  test("are accepted when their providers differ", () => {
    const stack = newStack();
    const provider = new ids.IdsProvider(stack, "east", { alias: "east" });
    new ids.Endpoint(stack, "a", { endpointId: "edge" });
    new ids.Endpoint(stack, "b", { endpointId: "edge", provider });
    expect(problemsOf(stack)).toBe("");
  });

  test("can be alternatives that count selects", () => {
    expect(declare({ count: 1 }, { count: 0 })).toBe("");
  });

  test("can be in two stacks", () => {
    const app = Testing.app();
    const [one, two] = [newStack("One", app), newStack("Two", app)];
    for (const stack of [one, two]) new ids.Endpoint(stack, "edge", { endpointId: "edge" });
    expect(problemsOf(one) + problemsOf(two)).toBe("");
  });
});

describe("names that cdktf would merge", () => {
  test("construct IDs that become the same logical ID are refused, naming both", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "my.edge", { endpointId: "a" });
    new ids.Endpoint(stack, "my edge", { endpointId: "b" });
    expect(problemsOf(stack)).toContain(
      "ids.Endpoint at Demo/my edge: 1 problem\n  has the same Terraform name as Demo/my.edge (ids_endpoint.myedge): rename one, or call overrideLogicalId",
    );
  });

  test("a generated binding next to a construct counts", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge.", { endpointId: "a" });
    new RawEndpoint(stack, "edge", { endpointId: "b" });
    expect(problemsOf(stack)).toContain(
      "ids.Endpoint at Demo/edge.: 1 problem\n  has the same Terraform name as Demo/edge (ids_endpoint.edge)",
    );
  });

  test("overrideLogicalId resolves a clash, and can cause one", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "my.edge", { endpointId: "a" });
    const other = new ids.Endpoint(stack, "my edge", { endpointId: "b" });
    other.overrideLogicalId("other");
    expect(problemsOf(stack)).toBe("");
  });

  test("the same name for resources of two types is accepted", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", { endpointId: "a" });
    new TerraformResource(stack, "edge.", { terraformResourceType: "null_resource" });
    expect(problemsOf(stack)).not.toContain("has the same Terraform name");
  });

  test("two providers without an alias are refused", () => {
    const stack = newStack();
    new ids.IdsProvider(stack, "second");
    expect(problemsOf(stack)).toContain("give each provider but one its own alias");
  });
});

describe("several stacks", () => {
  const broken = (): readonly TerraformStack[] => {
    const app = Testing.app();
    const stacks = ["Good", "Bad", "Worse"].map((name) => newStack(name, app));
    for (const stack of stacks) new ids.Endpoint(stack, "edge", { endpointId: "edge" });
    for (const stack of stacks.slice(1)) {
      new ids.Endpoint(stack, "bad", { endpointId: "x" }).resource.endpointId = "BAD";
    }
    return stacks;
  };

  test("the first invalid one reports the problems of all, each once", () => {
    const [good, bad] = broken();
    expect(good && problemsOf(good)).toBe("");
    const text = bad ? problemsOf(bad) : "";
    for (const path of ["Bad/bad", "Worse/bad"]) expect(text.split(path)).toHaveLength(2);
  });

  test("the whole app reports the same", () => {
    const outdir = mkdtempSync(join(tmpdir(), "trivet-"));
    const app = new App({ outdir });
    for (const name of ["Bad", "Worse"]) {
      const edge = new ids.Endpoint(newStack(name, app), "edge", { endpointId: "edge" });
      edge.resource.endpointId = "BAD";
    }
    expect(() => app.synth()).toThrow(/Bad\/edge: 1 problem[^]*Worse\/edge: 1 problem/);
    rmSync(outdir, { recursive: true });
  });

  test("a construct that was removed is not checked", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", { endpointId: "edge" }).resource.endpointId = "BAD";
    stack.node.tryRemoveChild("edge");
    expect(problemsOf(stack)).toBe("");
  });
});
