import { computed, conflicts, resource, t } from "../../schema";
import { imageIdentity, signingAttributes, urlsForLegacyOnly } from "./attributes";

export const signConflicts = {
  APPEND: "adds another signature",
  REPLACE: "adds a signature and removes the signer's earlier ones",
  SKIPSAME: "signs only if the signer has no valid signature yet",
} as const;

export const sign = resource("signing_sign", {
  doc:
    "Signs an image by its digest, and each image of an index. If a signature is removed from the registry, the " +
    "next apply signs again. Destroying the resource keeps the signatures.",
  attributes: {
    ...signingAttributes("sign", signConflicts),
    signedRef: computed(t.string(), {
      doc: "Reference of the image, known once it is signed.",
      useStateForUnknown: true,
    }),
  },
  rules: [conflicts("key", "fulcioUrl"), urlsForLegacyOnly],
  importId: ["{+image}"],
  identity: imageIdentity,
});
