import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "@trivet/constructs";

/** The services of the demo, and the image to release. */
export interface SigningDemoStackProps {
  /** The image from the build, by digest. */
  readonly image: string;
  /** Image to verify, by digest. @default the release */
  readonly candidate?: string | undefined;
  /** Host of the registry for releases, with its port. */
  readonly registryHost: string;
  /** URL of the certificate authority. */
  readonly fulcioUrl: string;
  /** URL of the transparency log. */
  readonly rekorUrl: string;
  /** URL of the timestamp authority. @default none */
  readonly timestampUrl?: string | undefined;
  /** Path of the `trusted_root.json` with the services' certificates and keys. */
  readonly trustedRoot: string;
  /** Subject of the signer's identity token: an email address or a URI. */
  readonly signer: string;
  /** Issuer of the identity token. */
  readonly issuer: string;
  /** Path of the image's SPDX document. */
  readonly sbom: string;
  /** The source from which the image was built. */
  readonly source: { readonly uri: string; readonly gitCommit: string };
}

/**
 * Releases an image: copies it from the build to the release repository, signs and attests it, and verifies
 * it against policies. The identity token of the signer comes from `SIGSTORE_ID_TOKEN`.
 */
export class SigningDemoStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: SigningDemoStackProps) {
    super(scope, id);

    new signing.SigningProvider(this, "signing", {
      fulcioUrl: props.fulcioUrl,
      rekorUrl: props.rekorUrl,
      timestampUrl: props.timestampUrl,
      trustedRoot: props.trustedRoot,
      defaultSignatureFormat: signing.SignatureFormat.BOTH,
      timeout: "2m",
    });

    const release = new signing.Copy(this, "release", {
      source: props.image,
      destination: `${props.registryHost}/released/providers`,
    });

    const signed = new signing.Sign(this, "signed", { image: release.copiedRef });

    const attested = new signing.Attest(this, "attested", {
      image: signed.signedRef,
      predicates: [
        signing.Predicate.slsaProvenance(provenanceOf(props)),
        signing.Predicate.spdx(props.sbom),
      ],
    });

    const verified = new signing.DataVerify(this, "verified", {
      image: props.candidate ?? attested.attestedRef,
      policy: policiesFor(props)
        .map((policy) => JSON.stringify(policy))
        .join("\n---\n"),
    });

    new TerraformOutput(this, "released-image", {
      value: verified.verifiedRef,
      description: "The released image, exactly as it was verified",
    });
  }
}

const provenanceOf = ({ source }: SigningDemoStackProps): signing.SlsaProvenance => ({
  buildDefinition: {
    buildType: "https://trivet.example/build/npm/v1",
    externalParameters: { command: "npm run build" },
    resolvedDependencies: [{ uri: source.uri, digest: { gitCommit: source.gitCommit } }],
  },
  runDetails: { builder: { id: "https://trivet.example/builder/demo" } },
});

/** Policies that require a signature in each format and both attestations. All must accept the image. */
function policiesFor({ fulcioUrl, issuer, registryHost, signer }: SigningDemoStackProps): object[] {
  const keyless = { url: fulcioUrl, identities: [{ issuer, subject: signer }] };
  const policy = (name: string, authority: object): object => ({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name },
    spec: {
      images: [{ glob: `${registryHost}/released/**` }],
      authorities: [{ name: "release", keyless, ...authority }],
    },
  });
  return [
    policy("signed", { signatureFormat: "legacy" }),
    policy("signed-with-a-bundle", { signatureFormat: "bundle" }),
    policy("attested", {
      attestations: [
        { name: "provenance", predicateType: "https://slsa.dev/provenance/v1" },
        { name: "sbom", predicateType: "https://spdx.dev/Document" },
      ],
    }),
  ];
}
