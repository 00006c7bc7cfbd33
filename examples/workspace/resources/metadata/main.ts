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

    // The machine of the workspace.
    const machine = new DataResource(this, "machine", { input: { init_script: main.initScript } });

    new workspace.Metadata(this, "facts", {
      resourceId: machine.id,
      dailyCost: 20,
      icon: "/icon/memory.svg",
      items: [
        { key: "Memory", value: "32 GiB" },
        {
          key: "Console",
          value: `https://console.example.com/machines/${machine.id}`,
          sensitive: true,
        },
      ],
    });
    // #endregion
  }
}
