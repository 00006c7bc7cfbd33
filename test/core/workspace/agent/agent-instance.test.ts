import { TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import { newAgent, newStack, read, refusal, resources } from "../synthesized";

test("the synthesized JSON, with references", () => {
  const stack = newStack();
  const machine = new TerraformVariable(stack, "machine", { type: "string" });
  const { agentId } = newAgent(stack);
  new workspace.AgentInstance(stack, "vm", { agentId, instanceId: machine.stringValue });
  expect(resources(stack, "workspace_agent_instance")).toEqual({
    vm: { agent_id: "${workspace_agent.main.id}", instance_id: "${var.machine}" },
  });
});

test("all missing properties are reported at once", () => {
  const props = {} as workspace.AgentInstanceProps;
  const error = refusal(() => new workspace.AgentInstance(newStack(), "vm", props));
  expect(error.message.split("\n")).toEqual([
    "workspace.AgentInstance at Demo/vm: 2 problems",
    "  agentId: must be set [MISSING]",
    "  instanceId: must be set [MISSING]",
  ]);
});

test("every property can be read", () => {
  const given = { agentId: "a", instanceId: "i" };
  const instance = new workspace.AgentInstance(newStack(), "vm", given);
  expect(read(instance, "agentId", "instanceId", "agentInstanceId")).toEqual({
    agentId: "${workspace_agent_instance.vm.agent_id}",
    instanceId: "${workspace_agent_instance.vm.instance_id}",
    agentInstanceId: "${workspace_agent_instance.vm.id}",
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.AgentInstance.typeToken).toBe("trivet:workspace/v1:AgentInstance");
});
