import type { Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { LegacyLayer } from "../../../../../src/core/signing/sigstore/format/manifest";
import type { VerificationRules } from "../../../../../src/core/signing/sigstore/verification/verification";
import { verifyAttached } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

/** Verifies a layer under a `.sig` tag. */
export const verifySignatureLayer = (layer: LegacyLayer, image: Digest, rules: VerificationRules) =>
  verifyAttached({ kind: "layer", layer }, image, "signature", rules);

/** Verifies a layer under a `.att` tag. */
export const verifyAttestationLayer = (
  layer: LegacyLayer,
  image: Digest,
  rules: VerificationRules,
) => verifyAttached({ kind: "layer", layer }, image, "attestation", rules);
