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
}
