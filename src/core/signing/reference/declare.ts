import { computed, parameter, providerFunction, t } from "../../schema";
import { imageReferenceRule } from "../oci/reference/reference-rule";

export const parseReference = providerFunction("parse_reference", {
  summary: "The parts of an image reference",
  doc:
    "The parts of an image reference, as this provider reads it: with the defaults of Docker Hub filled in, " +
    "the registry in its canonical spelling, and the tag `latest` if there is neither a tag nor a digest. It " +
    "does not contact the registry, so the image does not have to exist.",
  parameters: {
    reference: parameter(t.string(imageReferenceRule), {
      doc: "Image reference. If it has both a tag and a digest, the tag is dropped.",
    }),
  },
  returns: t.object({
    reference: computed(t.string(), { doc: "The whole reference, in its canonical spelling." }),
    repository: computed(t.string(), { doc: "The repository, with its registry." }),
    registry: computed(t.string(), { doc: "Host of the registry, with its port if needed." }),
    path: computed(t.string(), { doc: "The repository in the registry." }),
    tag: computed(t.string(), { doc: "The tag. Null for a reference by digest." }),
    digest: computed(t.string(), { doc: "The digest. Null for a reference by tag." }),
  }),
  example: [
    'provider::signing::parse_reference("alpine:3.20")',
    "# {",
    '#   reference  = "index.docker.io/library/alpine:3.20"',
    '#   repository = "index.docker.io/library/alpine"',
    '#   registry   = "index.docker.io"',
    '#   path       = "library/alpine"',
    '#   tag        = "3.20"',
    "#   digest     = null",
    "# }",
  ].join("\n"),
});
