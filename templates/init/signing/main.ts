import { App } from "cdktf";
import { ImageStack, type ImageStackProps } from "./image-stack";
import { localSigning } from "./local-signing";

/** The public services sign and log. The signer is a job on GitHub. */
const release: ImageStackProps = {
  repository: "registry.example.org/release/app",
  signer: {
    subject: "https://github.com/example/app/.github/workflows/release.yml@refs/heads/main",
    issuer: "https://token.actions.githubusercontent.com",
  },
};

const { SIGNING_PORT: port } = process.env;
const app = new App();
new ImageStack(app, "image", port === undefined ? release : localSigning(Number(port)));
app.synth();
