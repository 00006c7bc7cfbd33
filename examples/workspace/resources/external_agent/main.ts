import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const laptop = new workspace.Agent(this, "laptop", {
      os: workspace.OperatingSystem.DARWIN,
      arch: workspace.Architecture.ARM64,
    });

    new workspace.ExternalAgent(this, "external", { agentId: laptop.agentId });
    // #endregion
  }
}
