import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new ids.IdsProvider(this, "ids", { project: "acme", zone: "us-central1-a" });

    // #region
    // The full name of an endpoint that another stack manages.
    new TerraformOutput(this, "endpoint", {
      value: '${provider::ids::endpoint_name("acme", "us-central1-f", "edge")}',
    });
    // #endregion
  }
}
