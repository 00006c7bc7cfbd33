import { TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const image = new TerraformVariable(this, "image", {
      description: "The image by its digest, as the build pushed it",
      type: "string",
    });
    const password = new TerraformVariable(this, "registry_password", {
      type: "string",
      sensitive: true,
    });

    new signing.SigningProvider(this, "signing", {
      defaultSignatureFormat: signing.SignatureFormat.BUNDLE,
      timeout: "5m",
      registries: [
        { host: "registry.example.com", username: "release", password: password.stringValue },
      ],
    });

    new signing.Sign(this, "web", { image: image.stringValue });
  }
}
