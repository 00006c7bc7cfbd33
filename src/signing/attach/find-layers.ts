import type { Digest } from "../oci/reference/digest";
import {
  type AttestationItem,
  type Existing,
  isSameStatement,
  type IntendedStatement,
} from "./conflict";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { JsonObject } from "../oci/protocol/read-json";
import { readAttachedBlob, type SigningRun } from "./signing-run";
import {
  verifyAttestationLayer,
  verifySignatureLayer,
} from "../sigstore/verification/verify-layer";
import { isVerified, type VerifiedAttestation } from "../sigstore/verification/verification";
import { annotationsOf, layerKey } from "./attached-manifest";
import { type Candidate, determineOwnership, giveWay, rulesForAnySigner } from "./ownership";
import { annotation, signingTypes } from "../sigstore/format/names";
import { readDescriptor } from "../oci/protocol/read-descriptor";

/** A layer with a signature, as in its manifest. */
export interface SignatureLayer {
  readonly digest: Digest;
  readonly layer: JsonObject;
}

/** Which signatures to find. */
interface SignatureQuery {
  readonly image: Digest;
  readonly tag: string;
  /** The payload that we would sign, and its digest. */
  readonly payload: Buffer;
  readonly digest: Digest;
}

/** Finds the signatures of a payload, and which of them are ours. */
export async function findSignatures(
  run: SigningRun,
  layers: readonly JsonObject[],
  { image, tag, payload, digest }: SignatureQuery,
): Promise<readonly Existing<SignatureLayer>[]> {
  const same = layers.filter((layer) => layer["digest"] === digest);
  if (same.length === 0) return [];
  // Without its payload in the registry, a signature is not valid, although we know the payload.
  const blob = await readAttachedBlob(run, { digest, size: payload.byteLength }, new ReadBudget());
  const rules = await rulesForAnySigner(run);
  const recorded = new Set(
    run.previous.layers
      .filter((each) => each.tag === tag)
      .map((each) => `${each.digest} ${each.signature}`),
  );
  const candidates: Candidate<SignatureLayer>[] = [];
  for (const layer of same) {
    await giveWay(run);
    const { mediaType } = layer;
    const annotations = annotationsOf(layer);
    const found =
      blob === undefined || typeof mediaType !== "string"
        ? undefined
        : verifySignatureLayer({ mediaType, blob, annotations }, image, rules);
    candidates.push({
      item: { digest, layer },
      isRecorded: recorded.has(layerKey(layer)),
      signer: found !== undefined && isVerified(found) ? found.signer : undefined,
      isSameStatement: true,
    });
  }
  return determineOwnership(run, candidates);
}

/** A layer with an attestation, as in its manifest. */
export interface AttestationLayer extends AttestationItem {
  readonly layer: JsonObject;
}

/** The layers that may be attestations of the intended type. */
export async function attestationCandidates(
  run: SigningRun,
  image: Digest,
  layers: readonly JsonObject[],
  tag: string,
  intended: IntendedStatement,
  budget: ReadBudget,
): Promise<readonly Candidate<AttestationLayer>[]> {
  const recorded = new Set(
    run.previous.layers
      .filter((each) => each.tag === tag)
      .map((each) => `${each.digest} ${each.signature}`),
  );
  const candidates: Candidate<AttestationLayer>[] = [];
  // Ours first, then small ones: whoever fills the budget must not hide what is ours.
  const order = (layer: JsonObject) =>
    recorded.has(layerKey(layer)) ? -1 : (readDescriptor(layer)?.size ?? 0);
  for (const layer of layers.toSorted((a, b) => order(a) - order(b))) {
    const annotated = annotationsOf(layer)[annotation.predicateType];
    if (annotated !== undefined && annotated !== intended.predicateType) continue;
    const verified = await verifiedLayer(run, image, layer, budget);
    const predicateType = verified?.statement.predicateType ?? annotated;
    if (predicateType !== intended.predicateType) continue;
    const isSame = verified !== undefined && isSameStatement(verified, intended);
    const statementSha256 = isSame ? intended.statementSha256 : verified?.statementSha256;
    candidates.push({
      item: { layer, predicateType, statementSha256 },
      isRecorded: recorded.has(layerKey(layer)),
      signer: verified?.signer,
      isSameStatement: isSame,
    });
  }
  return candidates;
}

/** The verified attestation; undefined if it does not verify, is missing, or is something else. */
async function verifiedLayer(
  run: SigningRun,
  image: Digest,
  layer: JsonObject,
  budget: ReadBudget,
): Promise<VerifiedAttestation | undefined> {
  const descriptor = readDescriptor(layer);
  if (descriptor?.mediaType !== signingTypes.dsseEnvelope) return undefined;
  const blob = await readAttachedBlob(run, descriptor, budget);
  if (blob === undefined) return undefined;
  await giveWay(run);
  const { mediaType, annotations = {} } = descriptor;
  const found = verifyAttestationLayer(
    { mediaType, blob, annotations },
    image,
    await rulesForAnySigner(run),
  );
  return isVerified(found) ? found : undefined;
}
