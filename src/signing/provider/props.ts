import type { IResolvable } from "cdktf";
import type { ProviderMetaArguments } from "../../construct";
import type { AttestationEntryType, SignatureFormat } from "./enums";

/** How a registry is spoken to. */
export interface Registry {
  /** Host of the registry, with its port if it has one. */
  readonly host: string;
  /**
   * User name.
   *
   * @default none
   */
  readonly username?: string | undefined;
  /**
   * Password, or access token. Let it be a variable: what is written here stands in the stack's files.
   *
   * @default none
   */
  readonly password?: string | undefined;
  /**
   * Whether the registry is spoken to without TLS.
   *
   * @default only on this machine
   */
  readonly plainHttp?: boolean | IResolvable | undefined;
}

/** The settings of a {@link SigningProvider}. */
export interface SigningProviderProps extends ProviderMetaArguments {
  /**
   * What the transparency log keeps of legacy attestations.
   *
   * @default intoto
   */
  readonly defaultAttestationEntryType?: AttestationEntryType | IResolvable | undefined;
  /**
   * How signatures and attestations are stored whose resource does not say.
   *
   * @default legacy
   */
  readonly defaultSignatureFormat?: SignatureFormat | IResolvable | undefined;
  /**
   * How long signing or attesting one image may take, such as `5m`.
   *
   * @default 3m
   */
  readonly timeout?: string | undefined;
  /**
   * Address of the certificate authority for resources that name none, and for bundles.
   *
   * @default https://fulcio.sigstore.dev
   */
  readonly fulcioUrl?: string | undefined;
  /**
   * Address of the transparency log for resources that name none, and for bundles.
   *
   * @default https://rekor.sigstore.dev
   */
  readonly rekorUrl?: string | undefined;
  /**
   * Address of a time-stamp authority (RFC 3161) that time-stamps signatures besides the log.
   *
   * @default none
   */
  readonly timestampUrl?: string | undefined;
  /**
   * Certificates and keys that are trusted: the path of a `trusted_root.json`, or its text.
   *
   * @default TRIVET_TRUSTED_ROOT, else the root of the public services
   */
  readonly trustedRoot?: string | undefined;
  /**
   * OpenID Connect token of who signs, for the audience `sigstore`. Let it be a variable: what is written
   * here stands in the stack's files.
   *
   * @default SIGSTORE_ID_TOKEN, else what the surroundings offer: a token file, GitHub Actions
   */
  readonly identityToken?: string | undefined;
  /**
   * Whether images stay unsigned, with a warning, where there is no identity token.
   *
   * @default false: that is an error
   */
  readonly skipWithoutIdentity?: boolean | IResolvable | undefined;
  /**
   * Registries that need credentials, or are spoken to in another way.
   *
   * @default the credentials and credential helpers of Docker's configuration
   */
  readonly registries?: readonly Registry[] | IResolvable | undefined;
}
