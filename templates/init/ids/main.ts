import { App } from "cdktf";
import { WatchStack } from "./watch-stack";

const app = new App();
new WatchStack(app, "watch", { serviceUrl: process.env["IDS_URL"] });
app.synth();
