import { TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized } from "../synthesized";

test("a login is requested by the ID of its provider", () => {
  const stack = newStack();
  new workspace.DataExternalAuth(stack, "git", { id: "github" });
  new workspace.DataExternalAuth(stack, "forge", { id: "forge", optional: true });
  expect(synthesized(stack)).toHaveProperty("data.workspace_external_auth", {
    git: { id: "github" },
    forge: { id: "forge", optional: true },
  });
  expect(workspace.DataExternalAuth.typeToken).toBe("trivet:workspace/v1:DataExternalAuth");
});

test("every attribute of a login can be read", () => {
  const git = new workspace.DataExternalAuth(newStack(), "git", { id: "github" });
  expect(read(git, "id", "optional", "accessToken")).toEqual({
    id: "${data.workspace_external_auth.git.id}",
    optional: "${data.workspace_external_auth.git.optional}",
    accessToken: "${data.workspace_external_auth.git.access_token}",
  });
});

test("an empty id is refused", () => {
  const error = refusal(() => new workspace.DataExternalAuth(newStack(), "git", { id: "" }));
  expect(error.constructPath).toBe("Demo/git");
  expect(found(error)).toEqual(["INVALID_ARGUMENT id"]);
});

test("a token is accepted for the id and for optional", () => {
  const stack = newStack();
  const id = new TerraformVariable(stack, "id", {}).stringValue;
  const optional = new TerraformVariable(stack, "optional", { type: "bool" }).booleanValue;
  new workspace.DataExternalAuth(stack, "git", { id, optional });
  expect(synthesized(stack)).toHaveProperty("data.workspace_external_auth.git", {
    id: "${var.id}",
    optional: "${var.optional}",
  });
});
