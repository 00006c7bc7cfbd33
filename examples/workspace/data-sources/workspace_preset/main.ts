import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    new workspace.DataParameter(this, "size", {
      name: "size",
      default: "small",
    });

    new workspace.DataWorkspacePreset(this, "large", {
      name: "Large",
      description: "For builds of everything",
      parameters: { size: "large" },
      prebuilds: {
        instances: 1,
        expirationPolicy: { ttl: 86_400 },
        scheduling: {
          timezone: "Europe/Berlin",
          schedules: [{ cron: "* 8-17 * * 1-5", instances: 3 }],
        },
      },
    });
    // #endregion
  }
}
