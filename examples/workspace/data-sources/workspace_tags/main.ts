import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const region = new workspace.DataParameter(this, "region", {
      name: "region",
      default: "europe",
    });

    new workspace.DataWorkspaceTags(this, "this", {
      tags: { region: region.value, size: "large" },
    });
    // #endregion
  }
}
