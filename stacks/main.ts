import { App } from "cdktf";
import { workspace, type ids } from "@trivet/constructs";
import { IdsDemoStack } from "./ids-demo-stack";
import { SigningDemoStack } from "./signing-demo-stack";
import { WorkspaceTemplateStack } from "./workspace-template-stack";

const app = new App();

new IdsDemoStack(app, "ids-demo", {
  serviceUrl: process.env["TRIVET_IDS_ENDPOINT"],
  location: process.env["DEMO_LOCATION"],
  // The endpoint refuses other values, and its message lists the valid ones.
  severity: process.env["DEMO_SEVERITY"] as ids.EndpointSeverity | undefined,
});

new WorkspaceTemplateStack(app, "workspace-template", {
  product: process.env["DEMO_PRODUCT"] === "coder" ? workspace.products.coder : undefined,
});

// Releasing an image needs the local services, which `npm run demo` starts.
const { DEMO_IMAGE: image, DEMO_CANDIDATE: candidate } = process.env;
if (image !== undefined) {
  new SigningDemoStack(app, "signing-demo", {
    image,
    candidate,
    registryHost: setting("DEMO_REGISTRY"),
    fulcioUrl: setting("DEMO_FULCIO_URL"),
    rekorUrl: setting("DEMO_REKOR_URL"),
    timestampUrl: process.env["DEMO_TIMESTAMP_URL"],
    trustedRoot: setting("DEMO_TRUSTED_ROOT"),
    signer: setting("DEMO_SIGNER"),
    issuer: setting("DEMO_ISSUER"),
    sbom: setting("DEMO_SBOM"),
    source: { uri: setting("DEMO_SOURCE_URI"), gitCommit: setting("DEMO_SOURCE_COMMIT") },
  });
}

app.synth();

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`The stack signing-demo needs the environment variable ${name}.`);
  return value;
}
