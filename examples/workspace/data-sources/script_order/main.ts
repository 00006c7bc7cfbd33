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

    new workspace.Script(this, "clone", {
      agentId: main.agentId,
      displayName: "Clone",
      script: "git clone $REPOSITORY",
      runOnStart: true,
    });

    new workspace.Script(this, "build", {
      agentId: main.agentId,
      displayName: "Build",
      script: "make",
      runOnStart: true,
    });

    // For scripts in variables, build.after(clone) writes the same.
    new workspace.DataScriptOrder(this, "start", {
      rules: [{ run: ["workspace_script.build"], after: ["workspace_script.clone"] }],
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
