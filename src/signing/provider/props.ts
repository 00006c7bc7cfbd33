import type { IResolvable } from "cdktf";
import type { ProviderMetaArguments } from "../../construct";
import type { AttestationEntryType, SignatureFormat } from "./enums";

/** Credentials and connection settings of a registry. */
export interface Registry {
  /** Host of the registry, with the port if needed. */
  readonly host: string;
  /**
   * User name.
   *
   * @default none
   */
  readonly username?: string | undefined;
  /**
   * Password or access token. Use a Terraform variable: a literal value is written to the stack's files.
   *
   * @default none
   */
  readonly password?: string | undefined;
  /**
   * True to connect without TLS.
   *
   * @default true only for registries on this machine
   */
  readonly plainHttp?: boolean | IResolvable | undefined;
}

/** The settings of a {@link SigningProvider}. */
export interface SigningProviderProps extends ProviderMetaArguments {
  /**
   * Type of the transparency log entry for legacy attestations.
   *
   * - `intoto` records the digests of the envelope and of the statement
   * - `dsse` records the digests of the envelope and of the statement, and the signatures
   *
   * @default intoto
   */
  readonly defaultAttestationEntryType?: AttestationEntryType | IResolvable | undefined;
  /**
   * How signatures and attestations are stored when the resource does not set a format.
   *
   * - `legacy` stores it as an image under a tag such as `sha256-….sig`
   * - `bundle` stores it as a Sigstore bundle that refers to the image
   * - `both` stores it in both formats
   *
   * @default legacy
   */
  readonly defaultSignatureFormat?: SignatureFormat | IResolvable | undefined;
  /**
   * Timeout for signing, attesting or verifying one image, such as `5m`.
   *
   * @default 3m
   */
  readonly timeout?: string | undefined;
  /**
   * Private key to sign with instead of an identity, for resources that do not set one: a path, `env://NAME` for
   * an environment variable with the key, or the URI of a key in a key-management service. The password of an
   * encrypted key is read from `COSIGN_PASSWORD`.
   *
   * @default an identity signs
   */
  readonly key?: string | undefined;
  /**
   * Write signatures with a key to the transparency log. If false, signing with an identity is an error: such
   * signatures are always logged.
   *
   * @default true
   */
  readonly transparencyLog?: boolean | IResolvable | undefined;
  /**
   * URL of the certificate authority, for bundles and for resources that do not set one.
   *
   * @default https://fulcio.sigstore.dev
   */
  readonly fulcioUrl?: string | undefined;
  /**
   * URL of the transparency log, for bundles and for resources that do not set one.
   *
   * @default https://rekor.sigstore.dev
   */
  readonly rekorUrl?: string | undefined;
  /**
   * Log bundles in version 2 of the transparency log (Rekor v2). With `rekorUrl`, also set
   * `timestampUrl`.
   *
   * @default false
   */
  readonly useRekorV2?: boolean | IResolvable | undefined;
  /**
   * Services to sign with, instead of URLs: the path or the content of a signing config of version 0.2.
   *
   * @default TRIVET_SIGNING_CONFIG, or the URLs
   */
  readonly signingConfig?: string | undefined;
  /**
   * URL of a timestamp authority (RFC 3161) that timestamps signatures in addition to the log.
   *
   * @default none
   */
  readonly timestampUrl?: string | undefined;
  /**
   * Trusted certificates and keys: the path or the content of a `trusted_root.json`.
   *
   * @default TRIVET_TRUSTED_ROOT, or the trusted root of the public services
   */
  readonly trustedRoot?: string | undefined;
  /**
   * OpenID Connect token of the signer, for the audience `sigstore`. Use a Terraform variable: a literal
   * value is written to the stack's files.
   *
   * @default SIGSTORE_ID_TOKEN, a token file, or a token from GitHub Actions, in this order
   */
  readonly identityToken?: string | undefined;
  /**
   * Sign with certificates that are in no certificate transparency log (that have no SCT), as from
   * a private certificate authority without such a log. A certificate that the authority issued to somebody else
   * then goes unnoticed, and policies accept the signatures only with `insecureIgnoreSCT: true`.
   *
   * @default false
   */
  readonly insecureIgnoreSct?: boolean | IResolvable | undefined;
  /**
   * Leave images unsigned, with a warning, when there is no identity token.
   *
   * @default false: a missing token is an error
   */
  readonly skipWithoutIdentity?: boolean | IResolvable | undefined;
  /**
   * Registries that need credentials or other connection settings.
   *
   * @default the credentials and credential helpers from Docker's configuration
   */
  readonly registries?: readonly Registry[] | IResolvable | undefined;
}
