import type { HttpClient } from "../../http/client";
import type { SignerSource } from "../sigstore/certificate-authority/signer-source";
import type { RegistryClient } from "../oci/registry/client";
import type { TrustMaterial } from "../sigstore/trust/trust-material";

/** What signing and attesting work with. */
export interface SigningServices {
  readonly registry: RegistryClient;
  /** For the transparency log and the time-stamp authority. */
  readonly http: HttpClient;
  /** Asked only when something is to be signed, or when it must be known who we are. */
  readonly signer: SignerSource;
  /** By what everything that was made is verified before it is written. */
  readonly trust: () => Promise<TrustMaterial>;
  /** Time-stamp authority (RFC 3161) that is asked besides the log. @default none */
  readonly timestampUrl?: string | undefined;
  readonly now: () => Date;
  /** Gets a sentence for each step; nothing in it is a secret. */
  readonly onProgress?:
    ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}

/** As images under a tag, as bundles that refer to the image, or as both. */
export type SignatureFormat = "legacy" | "bundle" | "both";
