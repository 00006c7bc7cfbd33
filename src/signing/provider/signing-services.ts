import type { KeyObject } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import type { HttpClient } from "../../http/client";
import type { RegistryClient } from "../oci/registry/client";
import type { KeySigner } from "../sigstore/key/key-signer";
import type { IdentitySource } from "../sigstore/identity/identity-token";
import type { SelectedServices } from "../sigstore/trust/signing-config";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { SignerSource } from "../sigstore/identity/signer-source";

/** The clients and settings that signing and attesting images use. */
export interface SigningServices extends SignatureServices {
  readonly registry: RegistryClient;
  /** Receives sentences for the user about what was not done as asked. */
  readonly onWarning?: ((detail: string) => void) | undefined;
}

/** The clients and settings with which anything is signed. */
export interface SignatureServices {
  /** For the transparency log and the timestamp authority. */
  readonly http: HttpClient;
  /** Called only to sign something, or to find out our identity. */
  readonly signer: SignerSource;
  /** The key to sign with. @default an identity, with a certificate */
  readonly key?: SigningKey | undefined;
  /** Trusted certificates and keys, by which new signatures are verified before they are written. */
  readonly trust: () => Promise<TrustMaterial>;
  /** URL of a timestamp authority (RFC 3161), used in addition to the log. @default none */
  readonly timestampUrl?: string | undefined;
  /** Finds the services for a bundle. @default version 1 of the log at the run's URL, and `timestampUrl` */
  readonly bundleServices?: (() => Promise<BundleServices>) | undefined;
  /** `required` if our certificate must be in a certificate transparency log (have an SCT). @default "required" */
  readonly certificateLog?: "required" | "ignored" | undefined;
  readonly now: () => Date;
  /** Receives a message for each step, without secrets. */
  readonly onProgress?:
    ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}

export interface SigningKey {
  /** Opens the key, on first use. @throws KeyError */
  readonly open: (context: CallContext) => Promise<KeySigner>;
  /** True if its signatures are written to the transparency log. */
  readonly isLogged: boolean;
}

/** Where a bundle is logged and timestamped. Each of these must prove it. */
export type BundleServices = Pick<SelectedServices, "logs" | "timestampUrls">;

/** Stores signatures as images under a tag, as bundles that refer to the image, or as both. */
export type SignatureFormat = "legacy" | "bundle" | "both";

/** The clients for registries and signing services, with the source of the identity token. */
export interface ProviderServices extends SigningServices {
  readonly identity: IdentitySource;
  /** Opens a private key. Each key is opened once. @throws KeyError */
  readonly openKey: (reference: string, context: CallContext) => Promise<KeySigner>;
  /**
   * Fetches the public key of a key in a key-management service, by its URI. Each key is fetched once.
   *
   * @throws KeyError
   */
  readonly publicKey: (uri: string, context: CallContext) => Promise<KeyObject>;
  /** Selects the services to sign with; undefined if the URLs are settings, and version 1 of the log is used. */
  readonly select?: ServiceSelector | undefined;
}

/** Selects the services for a format. Only bundles can be logged in version 2 of the log. @throws TrustError */
export type ServiceSelector = (format: "legacy" | "bundle") => Promise<SelectedServices>;
