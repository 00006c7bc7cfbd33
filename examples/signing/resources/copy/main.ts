import { TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new signing.SigningProvider(this, "signing");

    // #region
    const image = new TerraformVariable(this, "image", {
      description: "The image by its digest, as the build pushed it",
      type: "string",
    });
    const destination = new TerraformVariable(this, "destination", {
      description: "The repository of released images, such as registry.example.com/release/web",
      type: "string",
    });

    const copy = new signing.Copy(this, "web", {
      source: image.stringValue,
      destination: destination.stringValue,
      tags: ["1.4.2", "latest"],
    });

    new signing.Sign(this, "signature", { image: copy.copiedRef });
    // #endregion
  }
}
