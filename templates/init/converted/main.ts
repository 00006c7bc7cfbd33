import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { App } from "cdktf";
import { MainStack } from "./main-stack";

const app = new App();
new MainStack(app, "main");
app.synth();

// Terraform reads the files in HCL together with the stack.
if (existsSync("hcl")) {
  cpSync("hcl", join(app.outdir, "stacks", "main"), { recursive: true });
}
