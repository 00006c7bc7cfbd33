import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new ids.IdsProvider(this, "ids", { project: "acme", zone: "us-central1-a" });

    // #region
    const edge = new ids.Endpoint(this, "edge", {
      endpointId: "edge",
      location: "us-central1-f",
      network: "projects/acme/global/networks/edge",
      severity: ids.EndpointSeverity.HIGH,
      description: "Everything that comes in from outside",
      labels: { environment: "production", team: "security" },
      threatExceptions: ["20984"],
      trafficLogs: true,
      timeouts: { create: "2h" },
    });

    new TerraformOutput(this, "forwarding_rule", {
      description: "Where packet mirroring sends its copies",
      value: edge.endpointForwardingRule,
    });
    // #endregion
  }
}
