import { App } from "cdktf";
import { DevStack } from "./dev-stack";
import { ImageStack } from "./image-stack";
import { localSigning, publicSigning } from "./signing-services";
import { WatchStack } from "./watch-stack";

const { IDS_URL: serviceUrl, SIGNING_PORT: port } = process.env;
const app = new App();
new WatchStack(app, "watch", { serviceUrl });
new DevStack(app, "dev");
new ImageStack(app, "image", port === undefined ? publicSigning : localSigning(Number(port)));
app.synth();
