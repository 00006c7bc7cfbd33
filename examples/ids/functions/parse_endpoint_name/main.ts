import { TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new ids.IdsProvider(this, "ids", { project: "acme", zone: "us-central1-a" });

    // #region
    const endpoint = new TerraformVariable(this, "endpoint", {
      description: "The full name of an endpoint",
      type: "string",
      default: "projects/acme/locations/us-central1-f/endpoints/edge",
    });

    new TerraformOutput(this, "zone", {
      value: `\${provider::ids::parse_endpoint_name(${endpoint.fqn}).location}`,
    });
    // #endregion
  }
}
