import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { SignatureFormat } from "../provider/enums";
import type { Conflict } from "./enums";

/** The properties that signing and attesting share. */
export interface SigningProps extends MetaArguments {
  /**
   * Image reference by digest: `registry/repository@sha256:…`, such as the `copiedRef` of a copy.
   *
   * Changing it replaces the resource.
   */
  readonly image: string;
  /**
   * The treatment of our earlier signatures or attestations.
   *
   * - `APPEND` adds another one
   * - `REPLACE` adds one and removes our earlier ones
   * - `SKIPSAME` adds one only if we have no valid one with the same content, and replaces our
   *   attestation of the same type if its content differs
   *
   * @default SKIPSAME
   */
  readonly conflict?: Conflict | IResolvable | undefined;
  /**
   * Private key to sign with instead of an identity: a path, `env://NAME` for an environment variable with the
   * key, or the URI of a key in a key-management service.
   *
   * @default the provider's
   */
  readonly key?: string | undefined;
  /**
   * URL of the certificate authority; only for the format `legacy`.
   *
   * @default the provider's
   */
  readonly fulcioUrl?: string | undefined;
  /**
   * URL of the transparency log; only for the format `legacy`.
   *
   * @default the provider's
   */
  readonly rekorUrl?: string | undefined;
  /**
   * How signatures and attestations are stored.
   *
   * - `legacy` stores it as an image under a tag such as `sha256-….sig`
   * - `bundle` stores it as a Sigstore bundle that refers to the image
   * - `both` stores it in both formats
   *
   * @default the provider's
   */
  readonly signatureFormat?: SignatureFormat | IResolvable | undefined;
}

/** The properties of a {@link Sign}. */
export type SignProps = SigningProps;
