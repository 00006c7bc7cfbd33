import {
  computed,
  enumMeanings,
  optional,
  required,
  optionalComputed,
  t,
  enumValues,
} from "../../schema";
import { digestReferenceRule } from "../oci/reference/reference-rule";
import { signatureFormats, serviceUrlRule } from "../provider/declare";

/** What can be done about what was signed or attested before. */
export const conflictMeanings = ["APPEND", "REPLACE", "SKIPSAME"] as const;

/** What signing and attesting have in common. */
export function signingAttributes(
  verb: "sign" | "attest",
  conflicts: Readonly<Record<(typeof conflictMeanings)[number], string>>,
) {
  return {
    image: required(t.string(digestReferenceRule), {
      doc: `Image to ${verb}, by its digest: \`registry/repository@sha256:…\`.`,
      requiresReplace: true,
    }),
    conflict: optionalComputed(t.oneOf(conflictMeanings), {
      doc: `What becomes of earlier ones: ${enumMeanings(conflicts)}`,
      default: "SKIPSAME",
    }),
    fulcioUrl: optionalComputed(t.string(serviceUrlRule), {
      doc: "Address of the certificate authority; for the format `legacy` only. By default the provider's.",
    }),
    rekorUrl: optionalComputed(t.string(serviceUrlRule), {
      doc: "Address of the transparency log; for the format `legacy` only. By default the provider's.",
    }),
    signatureFormat: optional(t.oneOf(enumValues(signatureFormats)), {
      doc: `How it is stored: ${enumMeanings(signatureFormats)} By default the provider's.`,
    }),
    id: computed(t.string(), { doc: "The image.", useStateForUnknown: true }),
    skipped: computed(t.bool(), {
      doc: "Whether nothing was written for want of an identity; see the provider's `skipWithoutIdentity`.",
    }),
  };
}
