import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "trivet";

/** Where the services are, and what they are to do. */
export interface SigningDemoStackProps {
  /** The image as it was built, by its digest. */
  readonly image: string;
  /** Image that is to be let through, by its digest. @default the release */
  readonly candidate?: string | undefined;
  /** Host of the registry that releases go to, with its port. */
  readonly registryHost: string;
  /** Address of the certificate authority. */
  readonly fulcioUrl: string;
  /** Address of the transparency log. */
  readonly rekorUrl: string;
  /** Address of the time-stamp authority. @default none */
  readonly timestampUrl?: string | undefined;
  /** Path of the `trusted_root.json` with the services' certificates and keys. */
  readonly trustedRoot: string;
  /** Who signs, as the identity token has it: an email address or a URI. */
  readonly signer: string;
  /** Who issues identity tokens. */
  readonly issuer: string;
  /** Path of the image's SPDX document. */
  readonly sbom: string;
  /** What the image was built from. */
  readonly source: { readonly uri: string; readonly gitCommit: string };
}

/**
 * A release: the image that was built is copied to where users get it, signed, attested, and let through
 * only when a policy holds. Whoever signs is told by `SIGSTORE_ID_TOKEN`.
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
      description: "The image that may be used: exactly what was verified",
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

/** All of them must hold: a signature in each format, and both attestations. */
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
