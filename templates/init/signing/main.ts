import { App } from "cdktf";
import { ImageStack } from "./image-stack";
import { localSigning, publicSigning } from "./signing-services";

const { SIGNING_PORT: port } = process.env;
const app = new App();
new ImageStack(app, "image", port === undefined ? publicSigning : localSigning(Number(port)));
app.synth();
