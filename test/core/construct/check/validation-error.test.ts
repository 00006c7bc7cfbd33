import { TerraformStack, Testing } from "cdktf";
import { Construct } from "constructs";
import { ids, ValidationError, type Finding } from "../../../../src";

const stack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

function refused(build: () => unknown): ValidationError {
  try {
    build();
  } catch (error) {
    if (error instanceof ValidationError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const wrong = {
  endpointId: "Abc-",
  severity: "SEVERE" as ids.EndpointSeverity,
  threatExceptions: ["a", "${HOME}"],
};

test("the message names the construct, then has one line for each finding", () => {
  const scope = new Construct(stack(), "Group");
  const error = refused(() => new ids.Endpoint(scope, "Edge", wrong));
  expect(error.message).toBe(
    [
      "ids.Endpoint at Demo/Group/Edge: 3 problems",
      '  threatExceptions[1]: must not contain "${HOME}", which Terraform would read as an expression: write "$${HOME}" to use these characters literally [LITERAL_INTERPOLATION]',
      '  endpointId: must start with a lowercase letter (got "Abc-") [INVALID_ARGUMENT]',
      '  severity: must be one of "SEVERITY_UNSPECIFIED", "INFORMATIONAL", "LOW", "MEDIUM", "HIGH", "CRITICAL" (got "SEVERE") [INVALID_ARGUMENT]',
      "  warning: network: should be set; the service refuses to create an endpoint without a network [endpoint-without-network]",
    ].join("\n"),
  );
});

const complete = { network: "projects/p/global/networks/n", severity: "LOW" } as const;

test("a single problem is in the singular", () => {
  const props = { ...complete, endpointId: "" };
  const error = refused(() => new ids.Endpoint(stack(), "Edge", props));
  expect(error.message).toBe(
    'ids.Endpoint at Demo/Edge: 1 problem\n  endpointId: must start with a lowercase letter (got "") [INVALID_ARGUMENT]',
  );
});

test("an error does not hide the warnings", () => {
  const props = { ...complete, endpointId: "", labels: { Team: "x" } };
  const error = refused(() => new ids.Endpoint(stack(), "Edge", props));
  expect(error.message).toMatch(/\n {2}endpointId: .*\n {2}warning: labels\.Team: keys should/);
});

test("the error carries the path and the findings, without the warnings", () => {
  const error = refused(() => new ids.Endpoint(stack(), "Edge", wrong));
  const summary = error.findings.map(({ code, path, severity }: Finding) => [
    code,
    severity,
    ...path,
  ]);
  expect(error.name).toBe("ValidationError");
  expect(error.constructPath).toBe("Demo/Edge");
  expect(summary).toEqual([
    ["LITERAL_INTERPOLATION", "error", "threatExceptions", 1],
    ["INVALID_ARGUMENT", "error", "endpointId"],
    ["INVALID_ARGUMENT", "error", "severity"],
  ]);
});

test("the stack trace starts where the construct is created, also for a subclass", () => {
  class Watched extends ids.Endpoint {}
  const declareHere = (): unknown => new ids.Endpoint(stack(), "Edge", { endpointId: "" });
  const declareSubclassHere = (): unknown => new Watched(stack(), "Edge", { endpointId: "" });
  const first = (build: () => unknown): string | undefined =>
    refused(build).stack?.split("\n    at ")[1];
  expect(first(declareHere)).toContain("declareHere");
  expect(first(declareSubclassHere)).toContain("declareSubclassHere");
});

test("a refused construct leaves nothing in the tree", () => {
  const scope = stack();
  refused(() => new ids.Endpoint(scope, "Edge", { endpointId: "" }));
  expect(scope.node.tryFindChild("Edge")).toBeUndefined();
  expect(() => new ids.Endpoint(scope, "Edge", { endpointId: "edge" })).not.toThrow();
});

test("a mistyped word of an enumeration is refused with a suggestion", () => {
  const severity = "high" as ids.EndpointSeverity;
  const error = refused(() => new ids.Endpoint(stack(), "Edge", { endpointId: "edge", severity }));
  expect(error.findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^must be one of .* \(got "high"\); did you mean "HIGH"\?$/),
  ]);
});

test("a mistyped property is refused with a suggestion", () => {
  const mistyped = { endpointId: "edge", treatExceptions: ["1"] };
  const error = refused(() => new ids.Endpoint(stack(), "Edge", mistyped));
  expect(error.findings).toEqual([
    {
      code: "UNKNOWN_PROPERTY",
      severity: "error",
      path: ["treatExceptions"],
      message: 'is not a property; did you mean "threatExceptions"?',
    },
  ]);
});
