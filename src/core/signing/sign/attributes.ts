import {
  type Breach,
  computed,
  enumMeanings,
  enumValues,
  optional,
  optionalComputed,
  required,
  requiredForImport,
  type ResourceRule,
  t,
} from "../../schema";
import { digestReferenceRule } from "../oci/reference/reference-rule";
import { keyReferenceRule } from "../sigstore/key/key-reference";
import { signatureFormats, serviceUrlRule } from "../provider/declare";

const recursion = {
  sign:
    "Whether to sign each image of an index, too, and what a builder attached to them, so that a digest of one platform " +
    "verifies. By default true.",
  attest:
    "Whether to attest each image of an index, too, so that a digest of one platform verifies. Only for what is true of " +
    "each of them. By default false.",
} as const;

export const conflictValues = ["APPEND", "REPLACE", "SKIPSAME"] as const;

/**
 * The attributes that signing and attesting share.
 *
 * @param conflicts the meaning of each value of `conflict`
 */
export function signingAttributes(
  verb: "sign" | "attest",
  conflicts: Readonly<Record<(typeof conflictValues)[number], string>>,
) {
  return {
    image: required(t.string(digestReferenceRule), {
      doc: `Image to ${verb}, by digest: \`registry/repository@sha256:…\`, such as the \`copied_ref\` of a \`signing_copy\`.`,
      requiresReplace: true,
    }),
    conflict: optionalComputed(t.oneOf(conflictValues), {
      doc: `Treatment of the signer's earlier ${verb === "sign" ? "signatures" : "attestations"}: ${enumMeanings(conflicts)}`,
      default: "SKIPSAME",
    }),
    key: optional(t.string(keyReferenceRule), {
      doc:
        "Private key to sign with instead of an identity: a path, `env://NAME` for an environment variable with " +
        "the key, or the URI of a key in a key-management service. By default the provider's.",
    }),
    fulcioUrl: optionalComputed(t.string(serviceUrlRule), {
      doc:
        "URL of the certificate authority; only for the format `legacy`. By default the provider's. The output is " +
        "the one that is used; null with a key.",
    }),
    rekorUrl: optionalComputed(t.string(serviceUrlRule), {
      doc:
        "URL of the transparency log; only for the format `legacy`. By default the provider's. The output is the " +
        "one that is used; null if nothing is logged.",
    }),
    signatureFormat: optional(t.oneOf(enumValues(signatureFormats)), {
      doc: `How signatures and attestations are stored: ${enumMeanings(signatureFormats)} By default the provider's.`,
    }),
    recursive: optional(t.bool(), {
      doc: recursion[verb],
    }),
    id: computed(t.string(), { doc: "Reference of the image.", useStateForUnknown: true }),
    skipped: computed(t.bool(), {
      doc: "Whether nothing was written because there was no identity token; see the provider's `skip_without_identity`.",
    }),
  };
}

export const imageIdentity = {
  attributes: {
    image: requiredForImport(t.string(digestReferenceRule), { doc: "Image, by digest." }),
  },
};

const doc = "is allowed only with the format `legacy`: bundles use the provider's URL";

type Name = "fulcioUrl" | "rekorUrl";

/**
 * Rejects a resource's own service URLs with bundles: they would be ignored, and the signature would be
 * published in the public log.
 */
export const urlsForLegacyOnly: ResourceRule<Name | "signatureFormat"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["fulcioUrl", "rekorUrl", "signatureFormat"],
  doc: (label) => `each of \`${label("fulcioUrl")}\` and \`${label("rekorUrl")}\` ${doc}`,
  broken: (values): Breach<Name>[] => {
    const format = values["signatureFormat"];
    if (format !== "bundle" && format !== "both") return [];
    const names: readonly Name[] = ["fulcioUrl", "rekorUrl"];
    return names
      .filter((name) => (values[name] ?? "") !== "")
      .map((name) => ({ name, message: `${doc} (the format is "${format}")` }));
  },
};
