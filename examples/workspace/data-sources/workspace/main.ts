import { DataResource, TerraformCount, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const build = new workspace.DataWorkspace(this, "this");

    // The machine exists only while the workspace runs.
    new DataResource(this, "machine", {
      count: TerraformCount.of(build.startCount),
      input: { name: `machine-of-${build.name}` },
    });
    // #endregion
  }
}
