import { TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
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

    const web = new signing.Sign(this, "web", {
      image: image.stringValue,
      signatureFormat: signing.SignatureFormat.BUNDLE,
    });

    new TerraformOutput(this, "signed_image", { value: web.signedRef });
    // #endregion
  }
}
