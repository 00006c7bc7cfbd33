import { computed, required, resource, t } from "../../schema";
import { digestReferenceRule, repositoryRule } from "../oci/reference/reference-rule";

/** The resource that copies an image to another repository. */
export const copy = resource("signing_copy", {
  doc:
    "Copies an image by its digest to another repository, with its signatures and attestations. Of an " +
    "index, each image is copied too. Destroying the resource keeps the copy.",
  attributes: {
    source: required(t.string(digestReferenceRule), {
      doc: "Image to copy, by digest: `registry/repository@sha256:…`.",
      requiresReplace: true,
    }),
    destination: required(t.string(repositoryRule), {
      doc: "Repository to which the image is copied, without a tag or digest.",
      requiresReplace: true,
    }),
    id: computed(t.string(), {
      doc: "The same as `copiedRef`.",
      useStateForUnknown: true,
    }),
    copiedRef: computed(t.string(), {
      doc: "Reference of the copy: the destination with the image's digest.",
      useStateForUnknown: true,
    }),
  },
});
