import { Construct } from "constructs";
import { Testing, TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import { agentNames } from "../../../../src/core/workspace/agent/rules";
import { findingsOf, Machine, newAgent, newTemplate } from "../template/template";

const { products } = workspace;

/** Names that cdktf derives from nested constructs. */
const deep = (stack: TerraformStack): Construct =>
  new Construct(new Construct(stack, "a-service-of-the-team"), "with-a-machine-and-a-database");

function problems(product: workspace.Product, build: (stack: TerraformStack) => void): string {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product });
  build(stack);
  try {
    Testing.synth(stack, true);
    return "";
  } catch (error) {
    return String(error);
  }
}

test("the name of a resource of another provider has at most 64 characters for coder", () => {
  expect(problems(products.coder, (stack) => new Machine(deep(stack), "machine"))).toMatch(
    /WorkspaceProvider at Demo\/workspace: 1 problem\n.*Demo\/a-service-of-the-team\/with-a-machine-and-a-database\/machine: would be the resource "a-service-of-the-team_with-a-machine-and-a-database_machine_[\dA-F]{8}" on the platform, whose name must be at most 64 characters long \(got 68\): shorten .* \(seen with coder 2\.26\)/,
  );
});

test("so has the name of a variable", () => {
  const declare = (stack: TerraformStack) => {
    const agent = newAgent(stack);
    new workspace.Env(deep(stack), "LONG_NAME", { agentId: agent.agentId, name: "LONG_NAME" });
  };
  expect(problems(products.coder, declare)).toContain("would be the resource");
});

test("it may be longer for scripts and apps, which the platform does not store as resources", () => {
  const declare = (stack: TerraformStack) => {
    const { agentId } = newAgent(stack);
    const script = "true";
    const more = { agentId, displayName: "x", script, runOnStart: true };
    const scope = deep(stack);
    new workspace.Script(scope, "a-script-to-run", more);
    new workspace.App(scope, "an-app-to-run", { agentId, slug: "x", command: "top" });
  };
  expect(problems(products.coder, declare)).toBe("");
});

test("our own platform gets a warning", () => {
  expect(problems(products.trivet, (stack) => new Machine(deep(stack), "machine"))).toBe("");
});

test("the name of an agent has at most 64 characters", () => {
  const stack = newTemplate();
  newAgent(stack, "a".repeat(64));
  newAgent(stack, "b".repeat(65));
  expect(findingsOf(agentNames, stack)).toEqual([
    expect.stringMatching(/^error INVALID_ARGUMENT Demo\/b+: : would be the agent "b+" .* 64 .*65/),
  ]);
});
