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

    new workspace.App(this, "docs", {
      agentId: main.agentId,
      slug: "docs",
      displayName: "Documentation",
      url: "http://localhost:8080",
      share: workspace.AppShare.AUTHENTICATED,
      healthcheck: { url: "http://localhost:8080/health", interval: 5, threshold: 6 },
    });

    // A command in a terminal, and a link.
    new workspace.App(this, "logs", {
      agentId: main.agentId,
      slug: "logs",
      command: "tail -f /var/log/build.log",
    });
    new workspace.App(this, "issues", {
      agentId: main.agentId,
      slug: "issues",
      url: "https://issues.example.com",
      external: true,
    });
    // #endregion

    new DataResource(this, "machine", { input: { init_script: main.initScript } });
  }
}
