import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataVerify}. */
export interface DataVerifyProps extends DataSourceMetaArguments {
  /** Image to verify, by tag or digest. A tag is resolved once. */
  readonly image: string;
  /**
   * Policies in YAML or JSON: `ClusterImagePolicy` of policy.sigstore.dev/v1beta1 or v1alpha1. Separate
   * several policies by lines with `---`.
   */
  readonly policy: string;
}
