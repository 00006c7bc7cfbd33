import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const main = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
    });

    new workspace.Script(this, "setup", {
      agentId: main.agentId,
      displayName: "Set up",
      script: "make setup",
      runOnStart: true,
      startBlocksLogin: true,
      timeout: 600,
    });

    new workspace.Script(this, "backup", {
      agentId: main.agentId,
      displayName: "Back up",
      script: "make backup",
      cron: "0 0 3 * * *", // at 3:00:00 every night
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
