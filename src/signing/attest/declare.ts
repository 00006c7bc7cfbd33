import {
  block,
  computed,
  exactlyOneOf,
  optional,
  required,
  resource,
  t,
  jsonObjectRule,
} from "../../schema";
import {
  predicateTypeRule,
  onePredicatePerType,
  atLeastOnePredicate,
  completeDeprecatedPredicate,
  sha256Rule,
} from "../predicate/value-rules";
import { signingAttributes } from "../sign/signing-attributes";
import { urlsForLegacyOnly } from "../sign/urls-for-legacy-only";

/** What becomes of earlier attestations of the same image and type. */
export const attestConflicts = {
  APPEND: "adds another attestation",
  REPLACE: "adds an attestation and removes our earlier ones of the type",
  SKIPSAME:
    "does nothing if our attestation of the type says the same, and replaces ours otherwise",
} as const;

const predicateFile = {
  path: required(t.string(), {
    doc: "Path of a file with the predicate's JSON, at most 32 MiB; a relative one is taken from where Terraform runs.",
  }),
  sha256: required(t.string(sha256Rule), {
    doc: "SHA-256 of the file, in lower-case hexadecimal.",
  }),
};

/** Attestations of an image. */
export const attest = resource("signing_attest", {
  doc:
    "Attests an image by its digest: signed statements about it, such as where it was built and what is in " +
    "it. When one is removed from the registry, the next apply makes it again. Destroying the resource " +
    "leaves the attestations.",
  attributes: {
    ...signingAttributes("attest", attestConflicts),
    predicate: optional(t.string(jsonObjectRule), {
      doc: "JSON of the claim.",
      deprecated: "use `predicates`",
    }),
    predicateType: optional(t.string(predicateTypeRule), {
      doc: "Type of the claim.",
      deprecated: "use `predicates`",
    }),
    attestedRef: computed(t.string(), {
      doc: "The image, once it is attested.",
      useStateForUnknown: true,
    }),
  },
  blocks: {
    predicates: block.list(
      {
        attributes: {
          type: required(t.string(predicateTypeRule), {
            doc:
              "Type of the predicate: a URI, or `slsaprovenance`, `spdx`, `spdxjson`, `cyclonedx`, `link`, " +
              "`vuln` or `custom`.",
          }),
          json: optional(t.string(jsonObjectRule), { doc: "JSON of the predicate: an object." }),
        },
        blocks: {
          files: block.list(
            { attributes: predicateFile },
            {
              doc: "File with the predicate.",
              wire: "file",
              max: 1,
            },
          ),
        },
        rules: [exactlyOneOf("json", "files")],
      },
      { doc: "Statements to attest; of one type only one, unless `conflict` is `APPEND`." },
    ),
    predicateFiles: block.list(
      { attributes: predicateFile },
      {
        doc: "File with the JSON of the claim.",
        wire: "predicate_file",
        max: 1,
        deprecated: "use `predicates`",
      },
    ),
  },
  rules: [urlsForLegacyOnly, atLeastOnePredicate, completeDeprecatedPredicate, onePredicatePerType],
  importId: ["{+image}"],
});
