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

    new workspace.Devcontainer(this, "web", {
      agentId: main.agentId,
      workspaceFolder: "/home/dev/web",
      configPath: "/home/dev/web/.devcontainer/devcontainer.json",
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
