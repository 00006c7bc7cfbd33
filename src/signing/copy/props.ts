import type { MetaArguments } from "../../construct";

/** The properties of a {@link Copy}. */
export interface CopyProps extends MetaArguments {
  /**
   * Image to copy, by digest: `registry/repository@sha256:…`.
   *
   * Changing it replaces the resource.
   */
  readonly source: string;
  /**
   * Repository to which the image is copied, without a tag or digest.
   *
   * Changing it replaces the resource.
   */
  readonly destination: string;
  /**
   * Tags that the copy gets at the destination. A tag that moved is set again.
   *
   * Tags that are removed from this list stay in the registry.
   *
   * @default none
   */
  readonly tags?: readonly string[] | undefined;
  /**
   * Platforms of an index whose images are copied: `os/architecture`, for all variants, or
   * `os/architecture/variant`.
   *
   * The index keeps its digest and its signatures, so the registry must accept an index without all of its
   * images. Many do not.
   *
   * @default all
   */
  readonly platforms?: readonly string[] | undefined;
  /**
   * Timeouts of the copy, such as `90s` or `4h`: when it is created, and when it is completed or tagged again.
   * The provider's `timeout` does not apply to them.
   *
   * @default two hours each
   */
  readonly timeouts?:
    { readonly create?: string | undefined; readonly update?: string | undefined } | undefined;
}
