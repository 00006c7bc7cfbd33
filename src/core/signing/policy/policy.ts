import type { Repository } from "../oci/reference/image-name";
import type { CertificateAuthority, TrustMaterial } from "../sigstore/trust/trusted-root";
import type { IdentityRule, SignerHash, SignerKey } from "../sigstore/verification/verification";
import type { PolicyProgram } from "./engine/run-engine";
import type { ImageGlob } from "./image-glob";

/**
 * A parsed `ClusterImagePolicy`. Parsing rejects everything that is not supported, so nothing is ignored.
 *
 * @see https://github.com/sigstore/policy-controller/blob/main/docs/api-types/index.md
 */
export interface ImagePolicy {
  readonly name: string;
  /** The policy applies to images that match one of these. */
  readonly images: readonly ImageGlob[];
  /** One of them must accept the image. */
  readonly authorities: readonly Authority[];
  /** The result for an image that the policy does not accept: an error, or only a warning. */
  readonly mode: "enforce" | "warn";
  /** Must accept the results of the authorities, too. */
  readonly program?: PolicyProgram | undefined;
  /** The program reads the image's configuration, too. @default false */
  readonly readsConfiguration?: boolean | undefined;
}

export type Authority = StaticAuthority | SigningAuthority;

/** Accepts or rejects every image. */
export interface StaticAuthority {
  readonly kind: "static";
  readonly name: string;
  readonly action: "pass" | "fail";
  readonly message?: string | undefined;
}

/** Accepts images that a given signer has signed or attested. */
export interface SigningAuthority {
  readonly kind: "signing";
  readonly name: string;
  readonly signer: PolicySigner;
  /** The transparency log in which the signature must be, if it must be in one. @default any trusted log */
  readonly log: { readonly isNeeded: boolean; readonly url?: URL | undefined };
  readonly needsTimestamp: boolean;
  /**
   * The TrustRoots to which the policy refers: for everything that the provider trusts, or for the log or the timestamp
   * alone.
   *
   * @default what the provider trusts
   */
  readonly trustRoots?:
    Partial<Readonly<Record<"identity" | "log" | "timestamp", TrustMaterial>>> | undefined;
  readonly format: SignatureFormat;
  /** @default the image's repository, without a prefix */
  readonly source?: SignatureSource | undefined;
  /** The attestations that are all required. If empty, a signature is required instead. */
  readonly attestations: readonly AttestationRequirement[];
}

export type SignatureFormat = "legacy" | "bundle";

/** The required signer: the owner of a key, or an identity with a certificate. */
export type PolicySigner =
  | { readonly kind: "key"; readonly key: SignerKey; readonly keyId: string }
  | {
      /** The owner of a key in a key-management service, which knows the public key. */
      readonly kind: "kms";
      /** URI of the key, such as `awskms:///alias/releases`. */
      readonly uri: string;
      readonly hash?: SignerHash | undefined;
    }
  | {
      readonly kind: "identity";
      /** One of them must match. */
      readonly identities: readonly IdentityRule[];
      readonly certificateLog: "required" | "ignored";
      /**
       * Only authorities of the trusted root with this URL, or without any URL, are trusted.
       * @default all of the trusted root
       */
      readonly certificateAuthorityUrl?: URL | undefined;
      /** The only trusted certificate authority. @default those of the trusted root */
      readonly certificateAuthority?: CertificateAuthority | undefined;
    };

export interface SignatureSource {
  /** @default that of the image */
  readonly repository?: Repository | undefined;
  readonly tagPrefix?: string | undefined;
}

export interface AttestationRequirement {
  readonly name: string;
  readonly predicateType: string;
  /** The predicate type as the policy writes it, such as `spdxjson`. */
  readonly writtenType: string;
  /** Must accept the statement. */
  readonly program?: PolicyProgram | undefined;
}
