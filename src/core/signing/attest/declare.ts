import {
  block,
  computed,
  conflicts,
  exactlyOneOf,
  optional,
  required,
  resource,
  t,
  jsonObjectRule,
} from "../../schema";
import {
  isSamePredicateType,
  predicateTypeRule,
  onePredicatePerType,
  atLeastOnePredicate,
  completeDeprecatedPredicate,
  sha256Rule,
} from "../predicate/value-rules";
import { imageIdentity, signingAttributes, urlsForLegacyOnly } from "../sign/attributes";

export const attestConflicts = {
  APPEND: "adds another attestation",
  REPLACE: "adds an attestation and removes the signer's earlier ones of the same type",
  SKIPSAME:
    "does nothing if the signer's attestation of the same type has the same content, and replaces it otherwise",
} as const;

const predicateFile = {
  path: required(t.string(), {
    doc: "Path of a file with the predicate's JSON, at most 32 MiB. A relative path is resolved against the directory in which Terraform runs.",
  }),
  sha256: required(t.string(sha256Rule), {
    doc: "SHA-256 of the file, in lowercase hexadecimal.",
  }),
};

export const attest = resource("signing_attest", {
  doc:
    "Attests an image by its digest: attaches signed statements about it, such as where it was built and " +
    "what it contains. If one is removed from the registry, the next apply creates it again. Destroying " +
    "the resource keeps the attestations.",
  attributes: {
    ...signingAttributes("attest", attestConflicts),
    predicate: optional(t.string(jsonObjectRule), {
      doc: "JSON of the predicate.",
      deprecated: "use `predicates`",
    }),
    predicateType: optional(t.string(predicateTypeRule), {
      doc: "Type of the predicate.",
      deprecated: "use `predicates`",
    }),
    attestedRef: computed(t.string(), {
      doc: "Reference of the image, known once it is attested.",
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
            semanticEquals: isSamePredicateType,
          }),
          json: optional(t.string(jsonObjectRule), {
            doc: "JSON of the predicate: a JSON object.",
          }),
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
      { doc: "Predicates to attest; only one of each type, unless `conflict` is `APPEND`." },
    ),
    predicateFiles: block.list(
      { attributes: predicateFile },
      {
        doc: "File with the JSON of the predicate.",
        wire: "predicate_file",
        max: 1,
        deprecated: "use `predicates`",
      },
    ),
  },
  rules: [
    conflicts("key", "fulcioUrl"),
    urlsForLegacyOnly,
    atLeastOnePredicate,
    completeDeprecatedPredicate,
    onePredicatePerType,
  ],
  importId: ["{+image}"],
  identity: imageIdentity,
});
