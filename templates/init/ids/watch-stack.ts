import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export interface WatchStackProps {
  /** Base URL of the service. @default the real one */
  readonly serviceUrl?: string | undefined;
}

/** Watches the network `edge`. */
export class WatchStack extends TerraformStack {
  constructor(scope: Construct, id: string, { serviceUrl }: WatchStackProps = {}) {
    super(scope, id);

    new ids.IdsProvider(this, "ids", {
      project: "my-project",
      zone: "us-central1-f",
      cloudIdsCustomEndpoint: serviceUrl,
    });

    const edge = new ids.Endpoint(this, "edge", {
      endpointId: "edge",
      network: "projects/my-project/global/networks/edge",
      severity: ids.EndpointSeverity.HIGH,
    });

    new TerraformOutput(this, "address", { value: edge.endpointIp });
  }
}
