import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    this.addOverride("ephemeral.workspace_secret.npm", {
      env: "NPM_TOKEN",
      help_message: "Create a token at https://npm.example.com and store it as NPM_TOKEN.",
    });

    // The token reaches the command, but neither the plan nor the state.
    new DataResource(this, "login", {
      provisioners: [
        {
          type: "local-exec",
          command: `printf '//npm.example.com/:_authToken=%s' "$NPM_TOKEN" > .npmrc`,
          environment: { NPM_TOKEN: "${ephemeral.workspace_secret.npm.value}" },
        },
      ],
    });
    // #endregion
  }
}
