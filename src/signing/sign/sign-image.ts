import type { CallContext } from "../../http/call-context";
import {
  attachedLayers,
  checkRoom,
  layerKey,
  recordedLayers,
  remembered,
  writeLayers,
} from "../attach/attached-layers";
import { attachBundles, type PreparedStatement } from "../attach/attach-bundles";
import { mergeSignature, sameSignature, type Existing } from "../attach/conflict";
import { determineOwnership, verifiedBy } from "../attach/existing";
import { expectVerified, layerEvidence, signAndLog } from "../attach/sign-and-log";
import {
  signingRun,
  type SigningRequest,
  type SigningRun,
  type Written,
  type WrittenLayer,
} from "../attach/signing-run";
import { readImages } from "../attach/read-images";
import { Attachments } from "../image/attachments";
import { writeEach } from "../attach/write-each";
import type { JsonObject } from "../oci/protocol/read-json";
import { isDigest, tagOfDigest, type Digest, digestOf, sha256Hex } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import type { SigningServices } from "../provider/signing-services";
import {
  signatureLayer,
  type LegacyLayer,
  simpleSigningPayload,
} from "../sigstore/format/legacy-layer";
import { verifySignatureLayer } from "../sigstore/verification/verify-layer";
import { signPredicateType, signStatement } from "../sigstore/format/statement";

// Writing is mostly waiting for the network.
const parallelImages = 4;

/**
 * Signs an image; if the request is recursive, the images of an index before the index itself. Attestations that a builder
 * added to the index are signed, too, as other tools do.
 *
 * Every signature is verified before it is written. An interruption leaves nothing half written; run
 * again, it signs what is not signed yet, unless `conflict` is `APPEND`.
 *
 * @returns everything of ours that is now in the registry
 * @throws SigningError | ServiceError | RegistryError
 */
export async function signImage(
  request: SigningRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const { image, format, isRecursive = true } = request;
  const run = signingRun(request, services, context);
  const tree = await readImages({ ...services, ...run }, image.digest, { isRecursive });
  const [hasLayers, hasBundles] = [format !== "bundle", format !== "legacy"];
  return writeEach(run, tree, parallelImages, async (subject) => {
    const statements = [signature(subject.digest)];
    // Bundles come first: if the registry cannot store any, nothing is signed and logged.
    const bundles = hasBundles ? await attachBundles(run, subject, statements, "signature") : [];
    return { layers: hasLayers ? await attachSignature(run, subject.digest) : [], bundles };
  });
}

// In a bundle, a signature is a statement without a predicate.
function signature(digest: Digest): PreparedStatement {
  const bytes = signStatement(digest);
  return { bytes, predicateType: signPredicateType, statementSha256: sha256Hex(bytes) };
}

/**
 * Signs one image in the legacy format and adds the signature to the `.sig` tag, unless we have a signature that can
 * stay.
 *
 * @returns our layers under the tag
 */
async function attachSignature(run: SigningRun, image: Digest): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict } = run;
  const dockerReference = formatRepository(repository);
  const payload = simpleSigningPayload({ dockerReference, digest: image });
  const tag = tagOfDigest(image, ".sig");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const existing = await existingSignatures(run, image, digestOf(payload), layers);
  const same = sameSignature(conflict, existing, digestOf(payload));
  if (same !== undefined) {
    run.say("the image is signed already", { image });
    return remembered(run, tag, layers, [same.layer]);
  }
  checkRoom(current, 1, tag);
  return writeLayers<SignatureLayer>(run, {
    tag,
    added: [await makeSignature(run, image, payload)],
    existing,
    describe: (layer) => ({ layer, digest: digestNamedBy(layer) }),
    merge: (before, [added]) =>
      added === undefined ? [] : mergeSignature(conflict, before, added),
  });
}

/** A layer with a signature, as in its manifest. */
interface SignatureLayer {
  readonly digest: Digest;
  readonly layer: JsonObject;
}

// A layer with any other digest is not ours, so the placeholder matches no digest of ours.
function digestNamedBy({ digest }: JsonObject): Digest {
  return typeof digest === "string" && isDigest(digest) ? digest : "sha256:";
}

/** Finds the signatures of the payload that we would sign, and decides which of them are ours. */
async function existingSignatures(
  run: SigningRun,
  image: Digest,
  digest: Digest,
  layers: readonly JsonObject[],
): Promise<readonly Existing<SignatureLayer>[]> {
  if (run.conflict === "APPEND") return [];
  const { repository, services, context } = run;
  const { registry } = services;
  const attachments = new Attachments({ registry, repository, context }, image);
  const tag = tagOfDigest(image, ".sig");
  const recorded = recordedLayers(run, tag);
  const candidates = [];
  for (const layer of layers.filter((each) => each["digest"] === digest)) {
    const item = attachments.layer(layer, "signature", `the tag ${tag}`);
    const found = await verifiedBy(run, item, image, "signature");
    candidates.push({
      item: { digest, layer },
      isRecorded: recorded.has(layerKey(layer)),
      signer: found?.signer,
      isSameStatement: true,
    });
  }
  return determineOwnership(run, candidates);
}

/** Signs a payload, logs the signature, and returns the verified layer. */
export async function makeSignature(
  run: SigningRun,
  image: Digest,
  payload: Buffer,
): Promise<LegacyLayer> {
  const { timestampUrls } = run;
  const made = await signAndLog(run, {
    payload,
    form: "signature-layer",
    logs: [{ url: run.rekorUrl, kind: "hashedrekord/0.0.1" }],
    timestampUrls,
  });
  const layer = signatureLayer(payload, made.signature, await layerEvidence(run, made));
  await expectVerified(run, made, (rules) => verifySignatureLayer(layer, image, rules));
  return layer;
}
