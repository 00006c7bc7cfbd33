import type { Digest } from "../oci/reference/digest";
import type { Existing } from "../conflict/conflict";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { JsonObject } from "../oci/protocol/read-json";
import type { SigningRun } from "../run/signing-run";
import { verifySignatureLayer } from "../sigstore/verification/verify-layer";
import { isVerified } from "../sigstore/verification/verification";
import { annotationsOf, layerKey } from "./attached-layers";
import { readAttachedBlob } from "./read-attached-blob";
import { giveWay, rulesForAnySigner, determineOwnership, type Candidate } from "./ownership";

/** A layer with a signature, as in its manifest. */
export interface SignatureLayer {
  readonly digest: Digest;
  readonly layer: JsonObject;
}

/** Which signatures to find. */
export interface SignatureQuery {
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
