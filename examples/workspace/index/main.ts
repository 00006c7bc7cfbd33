import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    const main = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
    });

    new workspace.App(this, "docs", {
      agentId: main.agentId,
      slug: "docs",
      url: "http://localhost:8080",
    });

    // The machine of the workspace. It runs the agent's script at boot.
    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
