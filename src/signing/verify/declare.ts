import { computed, dataSource, required, t } from "../../schema";
import { imageReferenceRule } from "../oci/reference/reference-rule";

/** The data source that verifies an image against a policy. */
export const verify = dataSource("signing_verify", {
  doc:
    "Verifies an image against a policy, and fails if the policy does not accept it. Resources that use " +
    "`verified_ref` use exactly the image that was verified.",
  attributes: {
    image: required(t.string(imageReferenceRule), {
      doc: "Image to verify, by tag or digest. A tag is resolved once.",
    }),
    policy: required(t.string(), {
      doc:
        "Policies in YAML or JSON: `ClusterImagePolicy` of policy.sigstore.dev/v1beta1 or v1alpha1. " +
        "Separate several policies by lines with `---`.",
    }),
    id: computed(t.string(), { doc: "The same as `verified_ref`." }),
    verifiedRef: computed(t.string(), { doc: "Reference of the verified image, by digest." }),
  },
});
