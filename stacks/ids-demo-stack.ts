import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

/** The properties that a run of the demo can change. */
export interface IdsDemoStackProps {
  /** The base URL of the service. The local back end prints its own when it starts. */
  readonly serviceUrl?: string | undefined;
  /** The zone of the endpoint at the edge. @default us-central1-f */
  readonly location?: string | undefined;
  /** The lowest severity that the endpoint at the edge alerts on. @default HIGH */
  readonly severity?: ids.EndpointSeverity | undefined;
}

/** Two monitored networks: the edge with all alerts, the office with critical ones only. */
export class IdsDemoStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: IdsDemoStackProps = {}) {
    super(scope, id);

    new ids.IdsProvider(this, "ids", {
      project: "demo-project",
      zone: "us-central1-a",
      cloudIdsCustomEndpoint: props.serviceUrl,
    });

    const edge = new ids.Endpoint(this, "edge", {
      endpointId: "edge",
      location: props.location ?? "us-central1-f",
      network: "projects/demo-project/global/networks/edge",
      severity: props.severity ?? ids.EndpointSeverity.HIGH,
      description: "Everything that comes in from outside",
      labels: { team: "security", environment: "demo" },
      trafficLogs: true,
    });

    new ids.Endpoint(this, "office", {
      endpointId: "office",
      network: "projects/demo-project/global/networks/office",
      severity: ids.EndpointSeverity.CRITICAL,
      description: `Watched after ${edge.name}`,
      threatExceptions: ["85998", "30013"],
      timeouts: { create: "30m" },
    });

    new TerraformOutput(this, "edge-address", {
      value: edge.endpointIp,
      description: "Where the network at the edge mirrors its traffic to",
    });
  }
}
