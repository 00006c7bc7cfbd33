import { App, TerraformOutput, TerraformStack } from "cdktf";
import { ids } from "@trivet/constructs";

/** A stack with one endpoint, in an app of its own. */
export class WatchStack extends TerraformStack {
  readonly edge: ids.Endpoint;

  constructor({
    id = "edge",
    output = true,
    ...props
  }: Partial<ids.EndpointProps> & { id?: string; output?: boolean } = {}) {
    super(new App(), "watch");
    new ids.IdsProvider(this, "ids", { project: "p", zone: "us-central1-a" });
    this.edge = new ids.Endpoint(this, id, {
      endpointId: "edge",
      network: "projects/p/global/networks/n",
      severity: "HIGH",
      ...props,
    });
    if (output) new TerraformOutput(this, "network", { value: this.edge.network });
  }
}
