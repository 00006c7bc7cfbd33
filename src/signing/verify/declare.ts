import { computed, dataSource, required, t } from "../../schema";
import { imageReferenceRule } from "../oci/reference/reference-rule";

/** Whether an image satisfies a policy. */
export const verify = dataSource("signing_verify", {
  doc:
    "Verifies an image by a policy, and fails when it does not hold. What uses `verifiedRef` uses exactly " +
    "what was verified.",
  attributes: {
    image: required(t.string(imageReferenceRule), {
      doc: "Image to verify, by its tag or digest. A tag is resolved once.",
    }),
    policy: required(t.string(), {
      doc:
        "Policies in YAML or JSON: `ClusterImagePolicy` of policy.sigstore.dev/v1beta1 or v1alpha1, several " +
        "divided by a line `---`.",
    }),
    id: computed(t.string(), { doc: "The same as `verifiedRef`." }),
    verifiedRef: computed(t.string(), { doc: "The image that was verified, by its digest." }),
  },
});
