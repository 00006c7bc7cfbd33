import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace");

    // #region
    const size = new workspace.DataParameter(this, "size", {
      name: "size",
      displayName: "Size",
      formType: workspace.ParameterFormType.DROPDOWN,
      default: "small",
      options: [
        { name: "Small", value: "small", description: "For everyday work" },
        { name: "Large", value: "large", description: "For builds of everything" },
      ],
    });

    const disk = new workspace.DataParameter(this, "disk", {
      name: "disk",
      description: "Disk in GiB. It can only grow.",
      type: workspace.ParameterType.NUMBER,
      formType: workspace.ParameterFormType.SLIDER,
      default: 20,
      mutable: true,
      validation: { min: 10, max: 100, monotonic: workspace.Monotonic.INCREASING },
    });

    new DataResource(this, "machine", {
      input: { disk: disk.value, size: size.value },
    });
    // #endregion
  }
}
