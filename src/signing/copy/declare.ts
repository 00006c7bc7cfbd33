import { computed, required, resource, t } from "../../schema";
import { digestReferenceRule, repositoryRule } from "../oci/reference/reference-rule";

/** A copy of an image in another repository. */
export const copy = resource("signing_copy", {
  doc:
    "Copies an image by its digest into another repository, with its signatures and attestations; of an " +
    "index also each image in it. Destroying the resource leaves the copy.",
  attributes: {
    source: required(t.string(digestReferenceRule), {
      doc: "Image to copy, by its digest: `registry/repository@sha256:…`.",
      requiresReplace: true,
    }),
    destination: required(t.string(repositoryRule), {
      doc: "Repository into which the image is copied, without a tag.",
      requiresReplace: true,
    }),
    id: computed(t.string(), {
      doc: "The copy: the same as `copiedRef`.",
      useStateForUnknown: true,
    }),
    copiedRef: computed(t.string(), {
      doc: "The copy: the destination with the image's digest.",
      useStateForUnknown: true,
    }),
  },
});
