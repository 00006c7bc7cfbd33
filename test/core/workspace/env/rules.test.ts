import { TerraformVariable } from "cdktf";
import type { TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import { envNames } from "../../../../src/core/workspace/env/rules";
import { findingsOf, newAgent, newTemplate } from "../template/template";

const { REPLACE, APPEND, PREPEND, ERROR } = workspace.MergeStrategy;
type Strategy = workspace.EnvProps["mergeStrategy"];

let stack: TerraformStack;
let agent: workspace.Agent;

beforeEach(() => {
  stack = newTemplate();
  agent = newAgent(stack);
});

/** Sets one variable of an agent by resources `a`, `b`, … with these strategies. */
function findings(...strategies: readonly (Strategy | undefined)[]): readonly string[] {
  strategies.forEach((mergeStrategy, index) => {
    const id = "abcdef"[index] ?? "";
    new workspace.Env(stack, id, {
      agentId: agent.agentId,
      name: "PATH",
      value: "/x",
      mergeStrategy,
    });
  });
  return findingsOf(envNames, stack);
}

describe("a variable that is set twice", () => {
  test("is lost when a later one replaces it", () => {
    expect(findings(undefined, REPLACE)).toEqual([
      'warning ADVICE Demo/a: name: is lost: Demo/b also sets it for the agent and replaces this value, because workspace_env.b is processed after workspace_env.a (got "PATH")',
    ]);
  });

  test("is lost by the order of the addresses, not of the constructs", () => {
    const set = { agentId: agent.agentId, name: "PATH", value: "/x" };
    new workspace.Env(stack, "z", set);
    new workspace.Env(stack, "a", set);
    expect(findingsOf(envNames, stack)).toEqual([
      expect.stringContaining("Demo/a: name: is lost: Demo/z"),
    ]);
  });

  test("is accepted when all are merged", () => {
    expect(findings(APPEND, PREPEND, APPEND)).toEqual([]);
  });

  test("is accepted when values are merged into an earlier one that replaces", () => {
    expect(findings(REPLACE, APPEND, PREPEND)).toEqual([]);
  });

  test("is refused when one allows no other", () => {
    expect(findings(ERROR, APPEND)).toEqual([
      'error DUPLICATE Demo/a: name: must be set only once for the agent with this mergeStrategy, but Demo/b also sets it (got "PATH")',
    ]);
  });

  test("is refused at both when both allow no other", () => {
    expect(findings(ERROR, ERROR)).toEqual([
      expect.stringContaining("Demo/b: name: must be set only once"),
      expect.stringContaining("Demo/a: name: must be set only once"),
    ]);
  });

  test("is separate for two agents, and for two names", () => {
    newAgent(stack, "other").addEnv("PATH", "/x");
    agent.addEnv("PATH", "/x");
    agent.addEnv("HOME", "/x");
    expect(findingsOf(envNames, stack)).toEqual([]);
  });

  test("is accepted when only Terraform knows a name, a strategy or which of them exist", () => {
    const variable = new TerraformVariable(stack, "v", {});
    const set = { agentId: agent.agentId, name: "PATH", value: "/x" };
    new workspace.Env(stack, "a", { ...set, mergeStrategy: variable.value as never });
    new workspace.Env(stack, "b", { ...set, name: variable.stringValue });
    new workspace.Env(stack, "c", { ...set, count: variable.numberValue });
    new workspace.Env(stack, "d", { ...set, count: 0 });
    const other = new TerraformVariable(stack, "w", {});
    new workspace.Env(stack, "e", { ...set, count: other.numberValue });
    expect(findingsOf(envNames, stack)).toEqual([]);
  });
});

describe("a variable that is also set in the agent's env", () => {
  beforeEach(() => {
    agent.resource.env = { PATH: "/bin" };
  });

  test.each([undefined, REPLACE, ERROR])("is refused with the strategy %s", (strategy) => {
    expect(findings(strategy)).toEqual([
      'error CONFLICT Demo/a: name: must not be set in the env of Demo/main, which an Env cannot overwrite: remove one of the two (got "PATH")',
    ]);
  });

  test("gets a warning if it is merged", () => {
    expect(findings(APPEND)).toEqual([
      'warning ADVICE Demo/a: name: should not be set in the env of Demo/main as well: move that value to a separate Env, so that the two are merged (got "PATH")',
    ]);
  });

  test("is accepted with another name, or when only Terraform knows the env", () => {
    agent.addEnv("HOME", "/x");
    agent.resource.env = new TerraformVariable(stack, "v", {}).value as Record<string, string>;
    agent.addEnv("PATH", "/x");
    expect(findingsOf(envNames, stack)).toEqual([]);
  });
});
