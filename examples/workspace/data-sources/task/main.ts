import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const task = new workspace.DataTask(this, "this");

    const main = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
      env: { TASK_PROMPT: task.prompt },
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
