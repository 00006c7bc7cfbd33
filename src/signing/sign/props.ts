import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { SignatureFormat } from "../provider/enums";
import type { Conflict } from "./enums";

/** What signing and attesting take alike. */
export interface SigningProps extends MetaArguments {
  /**
   * Image by its digest: `registry/repository@sha256:…`, such as the `copiedRef` of a copy.
   *
   * A change replaces the resource.
   */
  readonly image: string;
  /**
   * What becomes of earlier ones of ours.
   *
   * @default SKIPSAME
   */
  readonly conflict?: Conflict | IResolvable | undefined;
  /**
   * Address of the certificate authority; for the format `legacy` only.
   *
   * @default the provider's
   */
  readonly fulcioUrl?: string | undefined;
  /**
   * Address of the transparency log; for the format `legacy` only.
   *
   * @default the provider's
   */
  readonly rekorUrl?: string | undefined;
  /**
   * How it is stored beside the image.
   *
   * @default the provider's
   */
  readonly signatureFormat?: SignatureFormat | IResolvable | undefined;
}

/** The properties of a {@link Sign}. */
export type SignProps = SigningProps;
