import { App } from "cdktf";
import { workspace } from "@trivet/constructs";
import { DevStack } from "./dev-stack";

const app = new App();
new DevStack(app, "dev", { product: workspace.products.coder });
app.synth();
