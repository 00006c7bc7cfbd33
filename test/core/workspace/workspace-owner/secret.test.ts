import { TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized } from "../synthesized";

const helpMessage = "Store a token of the package registry under Settings.";

test("a secret is requested by its variable or by its file", () => {
  const stack = newStack();
  new workspace.DataSecret(stack, "token", { env: "NPM_TOKEN", helpMessage });
  new workspace.DataSecret(stack, "key", { file: "~/.ssh/id", env: undefined, helpMessage });
  expect(synthesized(stack)).toHaveProperty("data.workspace_secret", {
    token: { env: "NPM_TOKEN", help_message: helpMessage },
    key: { file: "~/.ssh/id", help_message: helpMessage },
  });
  expect(workspace.DataSecret.typeToken).toBe("trivet:workspace/v1:DataSecret");
});

test("every attribute of a secret can be read", () => {
  const token = new workspace.DataSecret(newStack(), "token", { env: "NPM_TOKEN", helpMessage });
  expect(read(token, "id", "env", "file", "helpMessage", "value")).toEqual({
    id: "${data.workspace_secret.token.id}",
    env: "${data.workspace_secret.token.env}",
    file: "${data.workspace_secret.token.file}",
    helpMessage: "${data.workspace_secret.token.help_message}",
    value: "${data.workspace_secret.token.value}",
  });
});

test("exactly one of variable and file is set", () => {
  const stack = newStack();
  const both = { env: "NPM_TOKEN", file: "/token", helpMessage };
  const error = refusal(() => new workspace.DataSecret(stack, "both", both));
  expect(error.constructPath).toBe("Demo/both");
  expect(error.findings.map(({ code }) => code)).toContain("CONFLICT");
  const neither = refusal(() => new workspace.DataSecret(stack, "neither", { helpMessage }));
  expect(neither.findings).toHaveLength(1);
  expect(neither.message).toContain("workspace.DataSecret at Demo/neither: 1 problem");
});

test("all problems are reported at once", () => {
  const props = { env: "1TOKEN", helpMessage: 1 as never };
  const error = refusal(() => new workspace.DataSecret(newStack(), "token", props));
  expect(found(error)).toEqual(["INVALID_ARGUMENT env", "WRONG_TYPE helpMessage"]);
});

test("a token satisfies all rules of its value", () => {
  const stack = newStack();
  const name = new TerraformVariable(stack, "name", {}).stringValue;
  new workspace.DataSecret(stack, "token", { env: name, helpMessage: `Store ${name}` });
  expect(synthesized(stack)).toHaveProperty("data.workspace_secret.token", {
    env: "${var.name}",
    help_message: "Store ${var.name}",
  });
});
