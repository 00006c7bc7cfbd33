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

    const chat = new workspace.App(this, "chat", {
      agentId: main.agentId,
      slug: "chat",
      url: "http://localhost:3284",
    });

    new workspace.AiTask(this, "assistant", { appId: chat.appId });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
