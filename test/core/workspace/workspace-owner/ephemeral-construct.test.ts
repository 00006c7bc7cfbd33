import { Testing, TerraformStack } from "cdktf";
import { workspace } from "../../../../src";

const props = { env: "API_TOKEN", helpMessage: "Store it in your account." };

it("is an ephemeral resource, and no data source", () => {
  const stack = new TerraformStack(Testing.app(), "demo");
  new workspace.WorkspaceProvider(stack, "workspace");
  new workspace.EphemeralSecret(stack, "token", props);
  new workspace.EphemeralExternalAuth(stack, "login", { id: "github" });
  expect(JSON.parse(Testing.synth(stack, true))).toMatchObject({
    ephemeral: {
      workspace_secret: { token: { env: "API_TOKEN" } },
      workspace_external_auth: { login: { id: "github" } },
    },
  });

  expect(workspace.EphemeralSecret.typeToken).toBe("trivet:workspace/v1:EphemeralSecret");
});

it("is refused for a product without ephemeral resources, which would store the secret", () => {
  const stack = new TerraformStack(Testing.app(), "demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product: workspace.products.coder });
  expect(() => new workspace.EphemeralSecret(stack, "token", props)).toThrow(
    'cannot be used with "coder", which has no ephemeral resources',
  );
});
