import { App } from "cdktf";
import { DevStack } from "./dev-stack";

const app = new App();
new DevStack(app, "dev");
app.synth();
