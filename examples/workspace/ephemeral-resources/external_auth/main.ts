import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    this.addOverride("ephemeral.workspace_external_auth.forge", { id: "forge", optional: true });

    // The token reaches the command, but neither the plan nor the state.
    new DataResource(this, "login", {
      provisioners: [
        {
          type: "local-exec",
          command: `printf 'machine forge.example.com password %s' "$TOKEN" > .netrc`,
          environment: { TOKEN: "${ephemeral.workspace_external_auth.forge.access_token}" },
        },
      ],
    });
    // #endregion
  }
}
