import { App } from "cdktf";
import type { ids } from "trivet";
import { IdsDemoStack } from "./ids-demo-stack";

const app = new App();

new IdsDemoStack(app, "ids-demo", {
  serviceUrl: process.env["TRIVET_IDS_ENDPOINT"],
  location: process.env["DEMO_LOCATION"],
  // Another word than the six is refused by the endpoint, with the six in the message.
  severity: process.env["DEMO_SEVERITY"] as ids.EndpointSeverity | undefined,
});

app.synth();
