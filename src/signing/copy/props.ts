import type { MetaArguments } from "../../construct";

/** The properties of a {@link Copy}. */
export interface CopyProps extends MetaArguments {
  /**
   * Image to copy, by its digest: `registry/repository@sha256:…`.
   *
   * A change replaces the copy.
   */
  readonly source: string;
  /**
   * Repository into which the image is copied, without a tag or digest.
   *
   * A change replaces the copy.
   */
  readonly destination: string;
}
