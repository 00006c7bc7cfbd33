import {
  TerraformIterator,
  TerraformLocal,
  TerraformVariable,
  Testing,
  type TerraformStack,
} from "cdktf";
import { workspace } from "../../../../src";
import type { StackRule } from "../../../../src/core/construct";
import { agentOwner } from "../../../../src/core/workspace/agent/rules";
import { agentEdge, agentInStack } from "../../../../src/core/workspace/template/agent-parts";
import { findingsOf, Machine, newAgent, newTemplate } from "./template";

/** A rule for the parts of agents only. */
const ofParts =
  (rule: StackRule): StackRule =>
  (members, context) =>
    rule(
      members.filter(({ values }) => "agentId" in values),
      context,
    );

let stack: TerraformStack;

beforeEach(() => {
  stack = newTemplate();
});

const app = (agentId: string, props: Partial<workspace.AppProps> = {}) =>
  new workspace.App(stack, "code", { agentId, slug: "code", command: "top", ...props });

describe("a part of an agent of another stack", () => {
  test("is refused", () => {
    const all = Testing.app();
    const other = newTemplate({}, "Other", all);
    stack = newTemplate({}, "Demo", all);
    const { agentId } = newAgent(other);
    app(agentId);
    new workspace.ExternalAgent(stack, "outside", { agentId });
    const rest =
      "agentId: must be the ID of an agent in this stack, but workspace_agent.main is in Other: each stack is a separate template";
    expect(findingsOf(ofParts(agentInStack), stack)).toEqual([
      `error INVALID_ARGUMENT Demo/code: ${rest}`,
      `error INVALID_ARGUMENT Demo/outside: ${rest}`,
    ]);
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([]);
  });

  test("is not in this stack's", () => {
    const agent = newAgent(stack);
    agent.addApp("code", { command: "top" });
    expect(findingsOf(ofParts(agentInStack), stack)).toEqual([]);
  });
});

describe("a part that refers to its agent through something else", () => {
  const warning =
    "warning ADVICE Demo/code: agentId: should refer directly to the agentId of an agent in this stack: during the plan, the platform finds the agent only by that reference";

  test.each([
    ["a literal", () => "5e1d8d2e-1e0b-4bd4-ba2b-6a7ef3bbd5b9"],
    ["a variable", () => new TerraformVariable(stack, "v", {}).stringValue],
    ["a local", () => new TerraformLocal(stack, "l", newAgent(stack).agentId).asString],
  ])("gets a warning: %s", (_what, agentId) => {
    app(agentId());
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([warning]);
  });

  test("is accepted with a reference in a function, to one instance, by forEach or by dependsOn", () => {
    const agent = newAgent(stack);
    const one = { slug: "a", command: "top" };
    new workspace.App(stack, "a", { ...one, agentId: `\${one(${agent.fqn}[*].id)}` });
    new workspace.App(stack, "b", { ...one, agentId: "${workspace_agent.main[0].id}" });
    const forEach = TerraformIterator.fromMap({ x: agent.agentId });
    new workspace.App(stack, "c", { ...one, agentId: String(forEach.value), forEach });
    new workspace.App(stack, "d", { ...one, agentId: "${var.agent}", dependsOn: [agent] });
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([]);
  });
});

describe("a part of the agent inside a dev container", () => {
  const inside = () => {
    const { subagentId } = newAgent(stack).addDevcontainer("api", { workspaceFolder: "/api" });
    app(subagentId);
    return findingsOf(ofParts(agentEdge), stack);
  };

  test("is accepted", () => {
    expect(inside()).toEqual([]);
  });

  test("gets a warning for a version that drops it", () => {
    stack = newTemplate({ platform: { version: "2.30" } });
    expect(inside()).toEqual([
      "warning ADVICE Demo/code: agentId: is dropped by version 2.30 of the platform, which needs version 2.31 for parts of the agent inside a dev container",
    ]);
  });
});

describe("a part that depends on a dependent of its agent", () => {
  const loses = (detour: string) =>
    `warning ADVICE Demo/code: agentId: is lost during the plan, because workspace_app.code also depends on ${detour}, which in turn depends on workspace_agent.main: use a value that does not depend on the agent`;

  test("gets a warning: by a value", () => {
    const agent = newAgent(stack);
    const machine = new Machine(stack, "vm", { token: agent.token });
    app(agent.agentId, { displayName: machine.ip });
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([loses("vm_machine.vm")]);
  });

  test("gets a warning: by dependsOn, and through a local", () => {
    const agent = newAgent(stack);
    const machine = new Machine(stack, "vm", { script: agent.initScript });
    const { asString } = new TerraformLocal(stack, "ip", machine.ip);
    app(agent.agentId, { dependsOn: [machine] });
    new workspace.App(stack, "docs", { agentId: agent.agentId, slug: "docs", command: asString });
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([
      loses("vm_machine.vm"),
      expect.stringContaining("workspace_app.docs also depends on local.ip"),
    ]);
  });

  test("is accepted when the other element does not depend on the agent", () => {
    const agent = newAgent(stack);
    const disk = new Machine(stack, "disk");
    new Machine(stack, "vm", { token: agent.token, disk: disk.id });
    app(agent.agentId, { displayName: disk.id });
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([]);
  });
});

describe("an agent", () => {
  const dropped =
    "warning ADVICE Demo/main: : is dropped by the platform with its apps, variables and scripts, because no resource of another provider depends on it: use its token or initScript in the machine that it runs on, or add an ExternalAgent";

  test("on which nothing else depends gets a warning", () => {
    newAgent(stack).addApp("code", { command: "top" });
    new Machine(stack, "vm");
    expect(findingsOf(agentOwner, stack)).toEqual([dropped]);
  });

  test("is accepted with a machine, even through a local", () => {
    newAgent(stack, "other");
    const { asString } = new TerraformLocal(stack, "l", newAgent(stack).token);
    new Machine(stack, "vm", { token: asString });
    expect(findingsOf(agentOwner, stack)).toEqual([dropped.replace("Demo/main", "Demo/other")]);
  });

  test("is accepted with an ExternalAgent", () => {
    const { agentId } = newAgent(stack);
    new workspace.ExternalAgent(stack, "outside", { agentId });
    expect(findingsOf(agentOwner, stack)).toEqual([]);
  });

  test("is accepted when it has no instances", () => {
    new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", count: 0 });
    expect(findingsOf(agentOwner, stack)).toEqual([]);
  });
});
