import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new ids.IdsProvider(this, "ids", { project: "acme", zone: "us-central1-a" });

    new ids.Endpoint(this, "edge", {
      endpointId: "edge",
      network: "projects/acme/global/networks/edge",
      severity: ids.EndpointSeverity.HIGH,
    });
  }
}
