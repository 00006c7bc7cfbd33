import type { Repository } from "../oci/reference/repository";
import type { CertificateAuthority } from "../sigstore/trust/trust-material";
import type { IdentityRule } from "../sigstore/verification/identity-rule";
import type { SignerKey } from "../sigstore/verification/verification";
import type { ImageGlob } from "./image-glob";

/** A policy on images, understood as a whole: whatever could not be has been refused. */
export interface ImagePolicy {
  readonly name: string;
  /** It applies to the images that one of these matches. */
  readonly images: readonly ImageGlob[];
  /** One of them must hold. */
  readonly authorities: readonly Authority[];
  /** What an image that it does not hold for gets: a refusal, or a warning only. */
  readonly mode: "enforce" | "warn";
}

export type Authority = StaticAuthority | SigningAuthority;

/** Always the same answer. */
export interface StaticAuthority {
  readonly kind: "static";
  readonly name: string;
  readonly action: "pass" | "fail";
  readonly message?: string | undefined;
}

/** Somebody who must have signed. */
export interface SigningAuthority {
  readonly kind: "signing";
  readonly name: string;
  readonly signer: PolicySigner;
  /** Whether the transparency log must know the signature. */
  readonly log: { readonly isNeeded: boolean; readonly url?: URL | undefined };
  readonly needsTimestamp: boolean;
  readonly format: SignatureFormat;
  /** Where signatures are kept, if not beside the image. */
  readonly source?: SignatureSource | undefined;
  /** All of them are needed, instead of a signature; without any a signature is. */
  readonly attestations: readonly AttestationRequirement[];
}

export type SignatureFormat = "legacy" | "bundle";

export type PolicySigner =
  | { readonly kind: "key"; readonly key: SignerKey; readonly keyId: string }
  | {
      readonly kind: "identity";
      /** One of them must match. */
      readonly identities: readonly IdentityRule[];
      readonly certificateLog: "required" | "ignored";
      /** Takes the place of all authorities that are trusted otherwise. */
      readonly certificateAuthority?: CertificateAuthority | undefined;
    };

export interface SignatureSource {
  readonly repository: Repository;
  readonly tagPrefix?: string | undefined;
}

export interface AttestationRequirement {
  readonly name: string;
  /** As it stands in statements. */
  readonly predicateType: string;
}
