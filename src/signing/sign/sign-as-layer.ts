import { attachedLayers, checkRoom } from "../attach/attached-manifest";
import { findSignatures, type SignatureLayer } from "../attach/find-layers";
import { remembered, writeLayers } from "../attach/write-attached";
import { mergeSignature, planSignature } from "../attach/conflict";
import { isDigest, tagOfDigest, type Digest, digestOf } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import { expectVerified, proveSignature, rulesForUs } from "../attach/prove";
import { certificatesOf } from "../attach/run-signer";
import type { SigningRun } from "../attach/signing-run";
import type { WrittenLayer } from "../attach/written";
import { signatureLayer, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { proposeHashedRekord } from "../sigstore/format/log-proposal";
import { simpleSigningPayload } from "../sigstore/payload/simple-signing";
import { verifySignatureLayer } from "../sigstore/verification/verify-layer";

/**
 * Signs one image in the legacy format, unless we have a signature that can stay.
 *
 * @returns our layers under the `.sig` tag
 */
export async function signAsLayer(
  run: SigningRun,
  image: Digest,
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict } = run;
  const dockerReference = formatRepository(repository);
  const payload = simpleSigningPayload({ dockerReference, digest: image });
  const digest = digestOf(payload);
  const tag = tagOfDigest(image, ".sig");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const existing =
    conflict === "APPEND" ? [] : await findSignatures(run, layers, { image, tag, payload, digest });
  const plan = planSignature(conflict, existing, digest);
  if (plan.action === "skip") {
    run.say("the image is signed already", { image });
    return remembered(run, tag, layers, [plan.same.layer]);
  }
  checkRoom(current, 1, tag);
  const made = await makeSignature(run, image, payload);
  const final = await writeLayers<SignatureLayer>(run, {
    tag,
    added: [made],
    ours: existing.filter(({ ownership }) => ownership === "ours").map(({ item }) => item),
    describe: (layer) => ({ layer, digest: digestNamedBy(layer) }),
    merge: (before, [added]) =>
      added === undefined ? [] : mergeSignature(conflict, before, added),
  });
  return remembered(run, tag, final.layers, final.added);
}

// A layer with any other digest is not ours, so the placeholder matches no digest of ours.
function digestNamedBy({ digest }: SignatureLayer["layer"]): Digest {
  return typeof digest === "string" && isDigest(digest) ? digest : "sha256:";
}

/** Signs a payload, logs the signature, and returns the verified layer. */
export async function makeSignature(
  run: SigningRun,
  image: Digest,
  payload: Buffer,
): Promise<LegacyLayer> {
  const signer = await run.signer();
  const signature = await signer.sign(payload, run.context);
  const proof = await proveSignature(run, signer, {
    bytes: payload,
    payload,
    signature,
    proposal: proposeHashedRekord(payload, signature, signer.verifierPem),
    logKind: "hashedrekord/0.0.1",
  });
  const layer = signatureLayer(payload, signature, {
    ...certificatesOf(signer),
    ...proof,
  });
  expectVerified(verifySignatureLayer(layer, image, await rulesForUs(run, signer)));
  return layer;
}
