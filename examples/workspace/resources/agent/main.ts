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
      startupScript: "make setup",
      env: { EDITOR: "vim" },
      displayApps: { editor: false, webTerminal: true },
      metadatas: [
        {
          key: "load",
          displayName: "Load",
          script: "cut -d' ' -f1 /proc/loadavg",
          interval: 10,
          timeout: 2,
        },
      ],
      resourcesMonitoring: {
        memory: { enabled: true, threshold: 80 },
        volumes: [{ path: "/home/dev", enabled: true, threshold: 90 }],
      },
    });

    // The machine of the workspace. It runs the agent's script at boot.
    new DataResource(this, "machine", {
      input: { init_script: main.initScript, token: main.token },
    });
    // #endregion
  }
}
