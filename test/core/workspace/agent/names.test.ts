import { Construct } from "constructs";
import { workspace } from "../../../../src";
import type { StackMember } from "../../../../src/core/construct";
import { agentNames } from "../../../../src/core/workspace/agent/rules";
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
      `error INVALID_ARGUMENT Demo/${name}: : would be the agent "${name}" on the platform: agent names must consist of letters, digits and single hyphens, with no hyphen at the start or end. Choose another construct ID, or call overrideLogicalId`,
    ]);
  });

  test("is the one set with overrideLogicalId", () => {
    const stack = newTemplate();
    newAgent(stack, "my_agent").overrideLogicalId("mine");
    newAgent(stack, "good").overrideLogicalId("not_good");
    expect(findingsOf(agents, stack)).toEqual([
      expect.stringContaining('Demo/good: : would be the agent "not_good"'),
    ]);
  });

  test("must differ by more than case, at any depth of the construct tree", () => {
    const stack = newTemplate();
    newAgent(stack, "main");
    newAgent(new Construct(stack, "group"), "Main");
    expect(findingsOf(agents, stack)).toEqual([
      'error DUPLICATE Demo/group/Main: : would be the agent "Main" on the platform, the same as Demo/main: agent names are case-insensitive. Choose another construct ID, or call overrideLogicalId',
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
      'error DUPLICATE Demo/main: count: must be at most 1: every instance would be the agent "main" on the platform (got 2)',
    ]);
  });
});
