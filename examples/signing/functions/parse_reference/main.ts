import { TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "@trivet/constructs";

export class Example extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new signing.SigningProvider(this, "signing");

    // #region
    const image = new TerraformVariable(this, "image", {
      description: "The image by its tag or digest",
      type: "string",
    });

    new TerraformOutput(this, "registry", {
      value: `\${provider::signing::parse_reference(${image.fqn}).registry}`,
    });
    // #endregion
  }
}
