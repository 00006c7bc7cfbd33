import type { Digest } from "../oci/reference/digest";
import type { LegacyLayer } from "../sigstore/format/legacy-layer";
import type {
  IdentityRule,
  Verification,
  VerificationRules,
  VerifiedAttestation,
  VerifiedSignature,
} from "../sigstore/verification/verification";
import { type BundlePurpose, verifyBundle } from "../sigstore/verification/verify-bundle";
import {
  verifyAttestationLayer,
  verifySignatureLayer,
} from "../sigstore/verification/verify-layer";

/** The content of something attached to an image: a layer of a legacy signature or attestation, or a bundle. */
export type Attached =
  | { readonly kind: "layer"; readonly layer: LegacyLayer }
  | { readonly kind: "bundle"; readonly bytes: Buffer };

/** Verifies what is attached to an image as a signature or an attestation of it. */
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: "attestation",
  rules: VerificationRules,
): Verification<VerifiedAttestation>;
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedSignature | VerifiedAttestation>;
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedSignature | VerifiedAttestation> {
  if (attached.kind === "bundle") return verifyBundle(attached.bytes, image, purpose, rules);
  const verify = purpose === "signature" ? verifySignatureLayer : verifyAttestationLayer;
  return verify(attached.layer, image, rules);
}

const anything = { contains: { source: "", isFoundIn: () => true } };

export const anyIdentity: IdentityRule = { subject: anything, issuer: anything };
