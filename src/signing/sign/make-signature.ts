import type { Digest } from "../oci/reference/digest";
import { signatureLayer, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { proposeHashedRekord } from "../sigstore/format/log-proposal";
import { verifySignatureLayer } from "../sigstore/verification/verify-layer";
import { expectVerified, proveSignature, rulesForUs, signBytes } from "../run/prove-signature";
import type { SigningRun } from "../run/signing-run";

/** Signs the payload of a legacy signature; the layer is verified. */
export async function makeSignature(
  run: SigningRun,
  image: Digest,
  payload: Buffer,
): Promise<LegacyLayer> {
  const signer = await run.signer();
  const { leafPem, chainPem } = signer;
  const signature = signBytes(payload, signer);
  const proof = await proveSignature(run, signer, {
    ...{ bytes: payload, payload, signature },
    proposal: proposeHashedRekord(payload, signature, leafPem),
    logKind: "hashedrekord/0.0.1",
  });
  const layer = signatureLayer(payload, signature, {
    certificatePem: leafPem,
    chainPem: chainPem.length === 0 ? undefined : chainPem.join(""),
    ...proof,
  });
  expectVerified(verifySignatureLayer(layer, image, await rulesForUs(run, signer)));
  return layer;
}
