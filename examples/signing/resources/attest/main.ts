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

    new signing.Attest(this, "web", {
      image: image.stringValue,
      predicates: [
        signing.Predicate.slsaProvenance({
          buildDefinition: {
            buildType: "https://example.com/build/v1",
            externalParameters: { target: "web" },
          },
          runDetails: { builder: { id: "https://ci.example.com" } },
        }),
      ],
    });
    // #endregion
  }
}
