import { Construct } from "constructs";
import { workspace } from "../../../src";
import type { StackMember } from "../../../src/construct";
import { agentNames } from "../../../src/workspace/agent/rules";
import { findingsOf, newAgent, newTemplate } from "../template/template";

const agents = (members: readonly StackMember[]) =>
  agentNames(members.filter(({ type }) => type.declaration.type === "workspace_agent"));

describe("an agent's name", () => {
  test.each(["main", "Main", "my-agent", "a", "0", "a-1-b"])("may be %s", (name) => {
    const stack = newTemplate();
    newAgent(stack, name);
    expect(findingsOf(agents, stack)).toEqual([]);
  });

  test.each(["my_agent", "-main", "main-", "my--agent"])("must not be %s", (name) => {
    const stack = newTemplate();
    newAgent(stack, name);
    expect(findingsOf(agents, stack)).toEqual([
      `error INVALID_ARGUMENT Demo/${name}: : is the agent "${name}" on the platform, where a name has letters, digits and single hyphens between them: choose another construct id, or call overrideLogicalId`,
    ]);
  });

  test("is what overrideLogicalId says", () => {
    const stack = newTemplate();
    newAgent(stack, "my_agent").overrideLogicalId("mine");
    newAgent(stack, "good").overrideLogicalId("not_good");
    expect(findingsOf(agents, stack)).toEqual([
      expect.stringContaining('Demo/good: : is the agent "not_good"'),
    ]);
  });

  test("must differ by more than case, wherever the agents stand", () => {
    const stack = newTemplate();
    newAgent(stack, "main");
    newAgent(new Construct(stack, "group"), "Main");
    expect(findingsOf(agents, stack)).toEqual([
      'error DUPLICATE Demo/group/Main: : is the agent "Main" on the platform, as Demo/main is, since letters\' case does not count: choose another construct id, or call overrideLogicalId',
    ]);
  });

  test("may be that of an alternative", () => {
    const stack = newTemplate();
    new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", count: 1 });
    new workspace.Agent(stack, "Main", { os: "linux", arch: "arm64", count: 0 });
    expect(findingsOf(agents, stack)).toEqual([]);
  });

  test("is that of all instances", () => {
    const stack = newTemplate();
    new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", count: 2 });
    expect(findingsOf(agents, stack)).toEqual([
      'error DUPLICATE Demo/main: count: must be at most 1: all instances would be the agent "main" on the platform (got 2)',
    ]);
  });
});
