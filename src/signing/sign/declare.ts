import { computed, resource, t } from "../../schema";
import { signingAttributes } from "./signing-attributes";
import { urlsForLegacyOnly } from "./urls-for-legacy-only";

/** What becomes of earlier signatures of the same image. */
export const signConflicts = {
  APPEND: "adds another signature",
  REPLACE: "adds a signature and removes our earlier ones",
  SKIPSAME: "signs only if there is no valid signature of ours",
} as const;

/** A signature of an image. */
export const sign = resource("signing_sign", {
  doc:
    "Signs an image by its digest; in the format `legacy` also each image of an index. When the " +
    "signature is removed from the registry, the next apply makes it again. Destroying the resource leaves the signature.",
  attributes: {
    ...signingAttributes("sign", signConflicts),
    signedRef: computed(t.string(), {
      doc: "The image, once it is signed.",
      useStateForUnknown: true,
    }),
  },
  rules: [urlsForLegacyOnly],
  importId: ["{+image}"],
});
