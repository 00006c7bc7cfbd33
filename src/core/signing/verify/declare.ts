import { computed, dataSource, optional, required, t } from "../../schema";
import { imageReferenceRule, imageRule } from "../oci/reference/reference-rule";

const counted = t.object({
  candidate: computed(t.string(), { doc: "Such as `the bundle sha256:…`." }),
  subject: computed(t.string(), { doc: "The signer's name; null for a bare key." }),
  issuer: computed(t.string(), { doc: "Issuer of the signer's identity; null for a bare key." }),
  key: computed(t.string(), {
    doc: "SHA-256 of the public key, in hexadecimal; null for a certificate.",
  }),
  log: computed(t.string(), {
    doc: "Base URL of the transparency log, or its ID; null if no log was needed.",
  }),
  logIndex: computed(t.number(), { doc: "Index of the log entry." }),
  time: computed(t.string(), {
    doc: "Proven time of the signature, in RFC 3339; null if no proof was needed.",
  }),
  predicateType: computed(t.string(), { doc: "Predicate type; null for a legacy signature." }),
});

const rejected = t.object({
  candidate: computed(t.string(), { doc: "Such as `the bundle sha256:…`." }),
  code: computed(t.string(), { doc: "Code of the reason, such as `IDENTITY`." }),
  problem: computed(t.string(), { doc: "Why it does not count." }),
});

const requirement = t.object({
  required: computed(t.string(), { doc: "What is required, such as `a legacy signature by …`." }),
  attestation: computed(t.string(), {
    doc: "Name of the attestation in the policy; null for a signature.",
  }),
  accepted: computed(t.bool(), { doc: "True if at least one candidate counted." }),
  counted: computed(t.list(counted), { doc: "Candidates that counted, at most 100." }),
  countedTotal: computed(t.number(), { doc: "Number of candidates that counted." }),
  rejected: computed(t.list(rejected), { doc: "Candidates that did not count, at most 100." }),
  rejectedTotal: computed(t.number(), { doc: "Number of candidates that did not count." }),
});

const authorityReport = t.object({
  name: computed(t.string(), { doc: "Name of the authority." }),
  accepted: computed(t.bool(), { doc: "True if it accepts the image." }),
  code: computed(t.string(), {
    doc: "`ACCEPTED`, `MISSING`, `STATIC`, `NO_TRUST` or `NOT_READ`.",
  }),
  problem: computed(t.string(), {
    doc: "Why it could not be evaluated, or the message of a static authority.",
  }),
  requirements: computed(t.list(requirement), { doc: "Its requirements; all must be met." }),
});

const policyReport = t.object({
  name: computed(t.string(), { doc: "Name of the policy." }),
  mode: computed(t.string(), { doc: "`enforce` or `warn`." }),
  accepted: computed(t.bool(), { doc: "True if it accepts the image." }),
  code: computed(t.string(), { doc: "`ACCEPTED`, `NO_AUTHORITY` or `POLICY`." }),
  problem: computed(t.string(), { doc: "Message of its policy in CUE or Rego, if that refuses." }),
  authorities: computed(t.list(authorityReport), {
    doc: "The evaluated authorities: up to the first that accepts the image, or all if the policy has a program in CUE or Rego.",
  }),
});

export const verify = dataSource("signing_verify", {
  doc:
    "Verifies an image against a policy, and fails if the policy does not accept it. Resources that use " +
    "`verified_ref` use exactly the image that was verified.",
  attributes: {
    image: required(t.string(imageRule), {
      doc:
        "Image to verify, by tag or digest, in a registry or in an image layout (`oci:PATH:TAG`, `oci-archive:PATH:TAG`). A " +
        "tag is resolved once.",
    }),
    name: optional(t.string(imageReferenceRule), {
      doc:
        "Name by which policies know the image, such as `registry.example.org/release/app`, if it is read from a copy. " +
        "By default that of `image`; a layout has none, so only policies for all images apply to it.",
    }),
    policy: required(t.string(), {
      doc:
        "Policies in YAML or JSON: `ClusterImagePolicy` of policy.sigstore.dev/v1beta1 or v1alpha1. " +
        "Separate several policies by lines with `---`.",
    }),
    recursive: optional(t.bool(), {
      doc:
        "Whether to verify each image of an index, too, as if it were deployed by its digest, but not what a builder " +
        "attached to them. By default false.",
    }),
    id: computed(t.string(), { doc: "The same as `verified_ref`." }),
    verifiedRef: computed(t.string(), { doc: "Reference of the verified image, by digest." }),
    verdict: computed(t.string(), {
      doc: "Why each policy accepts the image, or only warns about it, in Markdown: for a comment on a pull request.",
    }),
    policies: computed(t.list(policyReport), {
      doc: "The same as data: the result of each policy that applies.",
    }),
  },
});
