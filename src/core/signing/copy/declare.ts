import { computed, optional, required, resource, rule, stringRule, t } from "../../schema";
import { tagPattern, tagShape } from "../oci/reference/image-name";
import { destinationRule, digestImageRule } from "../oci/reference/reference-rule";

const tagRule = stringRule([
  [tagPattern, `must be a tag ${tagShape}`],
  [
    /^(?!sha256-[0-9a-f]{64})/,
    "must not begin with sha256-<digest>: such tags contain signatures and attestations",
  ],
]);

const platformRule = stringRule([
  [
    /^[a-z0-9_.-]+\/[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)?$/,
    "must be a platform in lowercase: os/architecture or os/architecture/variant, such as linux/arm64",
  ],
]);

const somePlatform = "must have at least one platform; omit it to copy all platforms";

const somePlatforms = rule(somePlatform, (z) => z.unknown().check(z.minLength(1, somePlatform)));

// Long enough for the largest images on slow connections. A registry that does not respond fails much earlier.
const copyTimeoutMs = 2 * 60 * 60 * 1000;

export const copy = resource("signing_copy", {
  doc:
    "Copies an image by its digest to another repository, or to and from an image layout on this machine, with its " +
    "signatures and attestations. If it is " +
    "an index, its images are copied, too. Destroying the resource keeps the copy. The provider's `timeout` does " +
    "not apply to copies.",
  attributes: {
    source: required(t.string(digestImageRule), {
      doc:
        "Image to copy, by digest: `registry/repository@sha256:…`, or in an image layout on this machine: " +
        "`oci:PATH@sha256:…` for a folder, `oci-archive:PATH@sha256:…` for a tar archive.",
      requiresReplace: true,
    }),
    destination: required(t.string(destinationRule), {
      doc:
        "Repository to which the image is copied, without a tag or digest, or an image layout: `oci:PATH` or " +
        "`oci-archive:PATH`. A relative path is resolved against the directory in which Terraform runs.",
      requiresReplace: true,
    }),
    tags: optional(t.list(t.string(tagRule)), {
      doc:
        "Tags for the copy at the destination, set after everything else is copied. A tag that was moved is " +
        "set again. Tags that are removed from this list stay in the registry. By default none.",
    }),
    platforms: optional(t.list(t.string(platformRule), somePlatforms), {
      doc:
        "Platforms of an index whose images are copied: `os/architecture`, for all variants, or " +
        "`os/architecture/variant`. The index keeps its digest and its signatures, so the registry must " +
        "accept an index without all of its images. Many do not. By default all.",
    }),
    id: computed(t.string(), {
      doc: "The same as `copied_ref`.",
      useStateForUnknown: true,
    }),
    copiedRef: computed(t.string(), {
      doc: "Reference of the copy: the destination with the image's digest.",
      useStateForUnknown: true,
    }),
  },
  timeouts: { create: copyTimeoutMs, update: copyTimeoutMs },
});
