import type { Digest } from "../oci/reference/digest";
import type { AttestationItem } from "../conflict/attestation-conflict";
import { annotation } from "../sigstore/format/annotation";
import { signingTypes } from "../sigstore/format/signing-types";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { readDescriptor } from "../oci/protocol/read-descriptor";
import type { JsonObject } from "../oci/protocol/read-json";
import type { SigningRun } from "../run/signing-run";
import { isVerified, type VerifiedAttestation } from "../sigstore/verification/verification";
import { verifyAttestationLayer } from "../sigstore/verification/verify-layer";
import { annotationsOf, layerKey } from "./attached-layers";
import { isSameStatement, type IntendedStatement } from "./intended-statement";
import { readAttachedBlob } from "./read-attached-blob";
import { giveWay, rulesForAnySigner, type Candidate } from "./ownership";

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
