import { TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "@trivet/constructs";

export interface ImageStackProps {
  /** Repository for releases. */
  readonly repository: string;
  /** Services and trusted root. @default the public services */
  readonly services?: signing.SigningProviderProps | undefined;
  /** Who signs, as named in the certificate. */
  readonly signer: { readonly subject: string; readonly issuer: string };
}

/** Copies an image into our own repository, then signs, attests and verifies it. */
export class ImageStack extends TerraformStack {
  constructor(scope: Construct, id: string, { repository, services, signer }: ImageStackProps) {
    super(scope, id);
    new signing.SigningProvider(this, "signing", services);
    const built = new TerraformVariable(this, "built", { type: "string" });

    const copy = new signing.Copy(this, "copy", {
      source: built.stringValue,
      destination: repository,
    });
    const sign = new signing.Sign(this, "sign", { image: copy.copiedRef });
    const attest = new signing.Attest(this, "attest", {
      image: sign.signedRef,
      predicates: [
        signing.Predicate.spdx("sbom.spdx.json"),
        signing.Predicate.slsaProvenance({
          buildDefinition: {
            buildType: "https://example.com/build/v1",
            externalParameters: { image: built.stringValue },
          },
          runDetails: { builder: { id: "https://ci.example.com/builder" } },
        }),
      ],
    });

    const url = services?.fulcioUrl ?? "https://fulcio.sigstore.dev";
    const verified = new signing.DataVerify(this, "verified", {
      image: attest.attestedRef,
      policy: JSON.stringify({
        apiVersion: "policy.sigstore.dev/v1beta1",
        kind: "ClusterImagePolicy",
        metadata: { name: "ours" },
        spec: {
          images: [{ glob: repository }],
          authorities: [{ name: "release", keyless: { url, identities: [signer] } }],
        },
      }),
    });
    new TerraformOutput(this, "image", { value: verified.verifiedRef });
  }
}
