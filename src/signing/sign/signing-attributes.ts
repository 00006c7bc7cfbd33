import { computed, meaningsOf, optional, required, resolved, t, words } from "../../schema";
import { digestReferenceRule } from "../oci/reference/reference-rule";
import { signatureFormats, serviceUrlRule } from "../provider/declare";

/** What can be done about what was signed or attested before. */
export const conflictWords = ["APPEND", "REPLACE", "SKIPSAME"] as const;

/** What signing and attesting have in common. */
export function signingAttributes(
  verb: "sign" | "attest",
  conflicts: Readonly<Record<(typeof conflictWords)[number], string>>,
) {
  return {
    image: required(t.string(digestReferenceRule), {
      doc: `Image to ${verb}, by its digest: \`registry/repository@sha256:…\`.`,
      replace: true,
    }),
    conflict: resolved(t.oneOf(conflictWords), {
      doc: `What becomes of earlier ones: ${meaningsOf(conflicts)}`,
      default: "SKIPSAME",
    }),
    fulcioUrl: resolved(t.string(serviceUrlRule), {
      doc: "Address of the certificate authority; for the format `legacy` only. By default the provider's.",
    }),
    rekorUrl: resolved(t.string(serviceUrlRule), {
      doc: "Address of the transparency log; for the format `legacy` only. By default the provider's.",
    }),
    signatureFormat: optional(t.oneOf(words(signatureFormats)), {
      doc: `How it is stored: ${meaningsOf(signatureFormats)} By default the provider's.`,
    }),
    id: computed(t.string(), { doc: "The image.", keep: true }),
    skipped: computed(t.bool(), {
      doc: "Whether nothing was written for want of an identity; see the provider's `skipWithoutIdentity`.",
    }),
  };
}
