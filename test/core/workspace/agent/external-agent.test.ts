import { workspace } from "../../../../src";
import { newAgent, newStack, read, refusal, resources } from "../synthesized";

test("synthesizes a reference to the agent", () => {
  const stack = newStack();
  const { agentId } = newAgent(stack);
  new workspace.ExternalAgent(stack, "outside", { agentId });
  expect(resources(stack, "workspace_external_agent")).toEqual({
    outside: { agent_id: "${workspace_agent.main.id}" },
  });
});

test("an agent is required", () => {
  const props = {} as workspace.ExternalAgentProps;
  const error = refusal(() => new workspace.ExternalAgent(newStack(), "outside", props));
  expect(error.message).toBe(
    "workspace.ExternalAgent at Demo/outside: 1 problem\n  agentId: must be set [MISSING]",
  );
});

test("every property can be read", () => {
  const outside = new workspace.ExternalAgent(newStack(), "outside", { agentId: "a" });
  expect(read(outside, "agentId", "externalAgentId")).toEqual({
    agentId: "${workspace_external_agent.outside.agent_id}",
    externalAgentId: "${workspace_external_agent.outside.id}",
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.ExternalAgent.typeToken).toBe("trivet:workspace/v1:ExternalAgent");
});
