import { TerraformVariable, Token } from "cdktf";
import { workspace } from "../../../../src";
import { newAgent, newStack, read, refusal, resources } from "../synthesized";

test("the synthesized JSON, with its own name and with the construct ID", () => {
  const stack = newStack();
  const { agentId } = newAgent(stack);
  new workspace.Env(stack, "path", {
    agentId,
    name: "PATH",
    value: "/opt/bin",
    mergeStrategy: workspace.MergeStrategy.APPEND,
  });
  new workspace.Env(stack, "EMPTY", { agentId });
  expect(resources(stack, "workspace_env")).toEqual({
    path: {
      agent_id: "${workspace_agent.main.id}",
      name: "PATH",
      value: "/opt/bin",
      merge_strategy: "append",
    },
    EMPTY: { agent_id: "${workspace_agent.main.id}", name: "EMPTY" },
  });
});

test("tokens are accepted, for enum values too", () => {
  const stack = newStack();
  const text = new TerraformVariable(stack, "text", { type: "string" });
  new workspace.Env(stack, "first", {
    agentId: text.stringValue,
    name: text.stringValue,
    value: text.stringValue,
    mergeStrategy: Token.asAny(text.stringValue),
  });
  expect(resources(stack, "workspace_env")).toEqual({
    first: {
      agent_id: "${var.text}",
      name: "${var.text}",
      value: "${var.text}",
      merge_strategy: "${var.text}",
    },
  });
});

test.each([
  ["a name", "editor", { name: "MY-EDITOR" }, "MY-EDITOR"],
  ["a construct ID that is used as the name", "my-editor", {}, "my-editor"],
])("%s must be a valid variable name", (_what, id, props, got) => {
  const error = refusal(() => new workspace.Env(newStack(), id, { agentId: "a", ...props }));
  expect(error.message.split("\n")).toEqual([
    `workspace.Env at Demo/${id}: 1 problem`,
    "  name: must start with a letter or an underscore, followed only by letters, digits and " +
      `underscores (got "${got}") [INVALID_ARGUMENT]`,
  ]);
});

test("every property can be read", () => {
  const env = new workspace.Env(newStack(), "EDITOR", { agentId: "a" });
  expect(read(env, "agentId", "name", "value", "mergeStrategy", "envId")).toEqual({
    agentId: "${workspace_env.EDITOR.agent_id}",
    name: "${workspace_env.EDITOR.name}",
    value: "${workspace_env.EDITOR.value}",
    mergeStrategy: "${workspace_env.EDITOR.merge_strategy}",
    envId: "${workspace_env.EDITOR.id}",
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.Env.typeToken).toBe("trivet:workspace/v1:Env");
});
