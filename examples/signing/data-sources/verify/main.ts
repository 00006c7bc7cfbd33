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
    const authority = new TerraformVariable(this, "certificate_authority", {
      type: "string",
      default: "https://fulcio.sigstore.dev",
    });
    const issuer = new TerraformVariable(this, "issuer", {
      description: "Who issues the identity tokens of the release",
      type: "string",
      default: "https://accounts.google.com",
    });

    const web = new signing.DataVerify(this, "web", {
      image: image.stringValue,
      policy: JSON.stringify({
        apiVersion: "policy.sigstore.dev/v1beta1",
        kind: "ClusterImagePolicy",
        metadata: { name: "signed-by-the-release" },
        spec: {
          authorities: [
            {
              keyless: {
                identities: [{ issuer: issuer.stringValue, subject: "release@example.com" }],
                url: authority.stringValue,
              },
            },
          ],
          images: [{ glob: "**" }],
        },
      }),
    });

    new TerraformOutput(this, "verified_image", { value: web.verifiedRef });
    // #endregion
  }
}
