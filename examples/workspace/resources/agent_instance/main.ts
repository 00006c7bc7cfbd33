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
      auth: workspace.AgentAuth.CLOUD_A_INSTANCE_IDENTITY,
    });

    // The virtual machine of the workspace.
    const machine = new DataResource(this, "machine", { input: { init_script: main.initScript } });

    new workspace.AgentInstance(this, "instance", {
      agentId: main.agentId,
      instanceId: machine.id,
    });
    // #endregion
  }
}
