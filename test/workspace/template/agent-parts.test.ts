import {
  TerraformIterator,
  TerraformLocal,
  TerraformVariable,
  Testing,
  type TerraformStack,
} from "cdktf";
import { workspace } from "../../../src";
import type { StackRule } from "../../../src/construct";
import { agentOwner } from "../../../src/workspace/agent/rules";
import { agentEdge } from "../../../src/workspace/template/agent-edge";
import { agentInStack } from "../../../src/workspace/template/agent-in-stack";
import { findingsOf, Machine, newAgent, newTemplate } from "./template";

/** A rule of the parts of agents alone. */
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
      "agentId: must be that of an agent in this stack, and workspace_agent.main stands in Other: each stack is a template of its own";
    expect(findingsOf(ofParts(agentInStack), stack)).toEqual([
      `error INVALID_ARGUMENT Demo/code: ${rest}`,
      `error INVALID_ARGUMENT Demo/outside: ${rest}`,
    ]);
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([]);
  });

  test("is no part of this stack's", () => {
    const agent = newAgent(stack);
    agent.addApp("code", { command: "top" });
    expect(findingsOf(ofParts(agentInStack), stack)).toEqual([]);
  });
});

describe("a part that names its agent through something else", () => {
  const warning =
    "warning ADVICE Demo/code: agentId: should be the agentId of an agent in this stack itself, with nothing in between: while planning, the platform finds the agent by that reference alone";

  test.each([
    ["a literal", () => "5e1d8d2e-1e0b-4bd4-ba2b-6a7ef3bbd5b9"],
    ["a variable", () => new TerraformVariable(stack, "v", {}).stringValue],
    ["a local", () => new TerraformLocal(stack, "l", newAgent(stack).agentId).asString],
  ])("gets a warning: %s", (_what, agentId) => {
    app(agentId());
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([warning]);
  });

  test("is fine with a reference in a function, of one instance, by forEach or by dependsOn", () => {
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

describe("a part that depends on what depends on its agent", () => {
  const loses = (detour: string) =>
    `warning ADVICE Demo/code: agentId: is lost while planning, because workspace_app.code also depends on ${detour}, which itself depends on workspace_agent.main: take that value from something that does not depend on the agent`;

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

  test("is fine when the other thing does not depend on the agent", () => {
    const agent = newAgent(stack);
    const disk = new Machine(stack, "disk");
    new Machine(stack, "vm", { token: agent.token, disk: disk.id });
    app(agent.agentId, { displayName: disk.id });
    expect(findingsOf(ofParts(agentEdge), stack)).toEqual([]);
  });
});

describe("an agent", () => {
  const dropped =
    "warning ADVICE Demo/main: : is dropped by the platform, with its apps, variables and scripts, because no resource of another provider depends on it: use its token or initScript in the machine on which it runs, or add an ExternalAgent";

  test("on which nothing else depends gets a warning", () => {
    newAgent(stack).addApp("code", { command: "top" });
    new Machine(stack, "vm");
    expect(findingsOf(agentOwner, stack)).toEqual([dropped]);
  });

  test("is fine with a machine, also through a local", () => {
    newAgent(stack, "other");
    const { asString } = new TerraformLocal(stack, "l", newAgent(stack).token);
    new Machine(stack, "vm", { token: asString });
    expect(findingsOf(agentOwner, stack)).toEqual([dropped.replace("Demo/main", "Demo/other")]);
  });

  test("is fine with an ExternalAgent", () => {
    const { agentId } = newAgent(stack);
    new workspace.ExternalAgent(stack, "outside", { agentId });
    expect(findingsOf(agentOwner, stack)).toEqual([]);
  });

  test("is fine when there is none of it", () => {
    new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", count: 0 });
    expect(findingsOf(agentOwner, stack)).toEqual([]);
  });
});
