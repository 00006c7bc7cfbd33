import { Fn, TerraformOutput } from "cdktf";
import { workspace } from "../../../../src";
import { newAgent, newStack, read, resources, synthesized } from "../synthesized";

const at = (name: string): string => `\${data.workspace_workspace_owner.me.${name}}`;

test("the owner is read without properties", () => {
  const stack = newStack();
  new workspace.DataWorkspaceOwner(stack, "me");
  expect(synthesized(stack)).toHaveProperty("data", { workspace_workspace_owner: { me: {} } });
  expect(workspace.DataWorkspaceOwner.typeToken).toBe("trivet:workspace/v1:DataWorkspaceOwner");
});

test("every attribute of the owner can be read, including secrets", () => {
  const me = new workspace.DataWorkspaceOwner(newStack(), "me");
  expect(read(me, "id", "name", "fullName", "email", "loginType")).toEqual({
    id: at("id"),
    name: at("name"),
    fullName: at("full_name"),
    email: at("email"),
    loginType: at("login_type"),
  });
  expect(read(me, "sshPublicKey", "sshPrivateKey", "sessionToken", "oidcAccessToken")).toEqual({
    sshPublicKey: at("ssh_public_key"),
    sshPrivateKey: at("ssh_private_key"),
    sessionToken: at("session_token"),
    oidcAccessToken: at("oidc_access_token"),
  });
});

test("the groups are a list", () => {
  const stack = newStack();
  const { groups } = new workspace.DataWorkspaceOwner(stack, "me");
  const list: string[] = groups;
  newAgent(stack).addEnv("GROUPS", Fn.join(",", list));
  expect(Object.values(resources(stack, "workspace_env"))).toMatchObject([
    { value: '${join(",", data.workspace_workspace_owner.me.groups)}' },
  ]);
});

test("the roles are a list of names and organizations", () => {
  const stack = newStack();
  const { rbacRoles } = new workspace.DataWorkspaceOwner(stack, "me");
  new TerraformOutput(stack, "all", { value: rbacRoles });
  new TerraformOutput(stack, "name", { value: rbacRoles.get(0).name });
  new TerraformOutput(stack, "org", { value: rbacRoles.get(1).orgId });
  expect(synthesized(stack)["output"]).toEqual({
    all: { value: at("rbac_roles") },
    name: { value: at("rbac_roles[0].name") },
    org: { value: at("rbac_roles[1].org_id") },
  });
});
