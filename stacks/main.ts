import { App } from "cdktf";
import { workspace, type ids } from "trivet";
import { IdsDemoStack } from "./ids-demo-stack";
import { WorkspaceTemplateStack } from "./workspace-template-stack";

const app = new App();

new IdsDemoStack(app, "ids-demo", {
  serviceUrl: process.env["TRIVET_IDS_ENDPOINT"],
  location: process.env["DEMO_LOCATION"],
  // Another word than the six is refused by the endpoint, with the six in the message.
  severity: process.env["DEMO_SEVERITY"] as ids.EndpointSeverity | undefined,
});

new WorkspaceTemplateStack(app, "workspace-template", {
  product: process.env["DEMO_PRODUCT"] === "coder" ? workspace.products.coder : undefined,
});

app.synth();
