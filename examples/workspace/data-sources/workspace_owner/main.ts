import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const me = new workspace.DataWorkspaceOwner(this, "me");

    const main = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
      env: { GIT_AUTHOR_EMAIL: me.email, GIT_AUTHOR_NAME: me.fullName },
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
