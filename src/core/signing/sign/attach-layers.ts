import type { Properties } from "../../json/plain-json";
import { Attachments } from "../image/attachments";
import { type Digest, isDigest, tagOfDigest } from "../oci/reference/descriptor";
import type { Manifest } from "../oci/registry/manifests";
import type { LogEntryKind } from "../sigstore/format/log-entry";
import {
  annotation,
  attestationLayer,
  layerDescriptor,
  type LegacyLayer,
  signatureLayer,
  writeDescriptor,
} from "../sigstore/format/manifest";
import { type BundlePurpose, verifyAttached } from "../sigstore/verification/verify-attached";
import {
  annotationsOf,
  attachedLayers,
  attachedManifest,
  checkRoom,
  layerKey,
  signatureHashOf,
  type WrittenLayer,
} from "./attached-layers";
import { expectVerified, layerEvidence, signAndLog } from "./sign-and-log";
import type { SignatureRun } from "./signature-run";
import { comesFirst, decide, type Intended, type SigningRun } from "./signing-run";

/**
 * Signs payloads in the legacy format, and adds them together to the tag of an image, unless one of our layers can stay.
 *
 * @returns our layers under the tag
 */
export async function attachLayers(
  run: SigningRun,
  image: Digest,
  payloads: readonly Intended[],
  purpose: BundlePurpose,
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict, layerKind } = run;
  if (layerKind === undefined) return [];

  // Read.
  const tag = tagOfDigest(image, purpose === "signature" ? ".sig" : ".att");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const attachments = new Attachments({ ...services, repository, context }, image);
  const recorded = run.recordedLayers(tag);
  const listed = layers.map((layer) => ({
    item: {
      ...attachments.layer(layer, purpose, `the tag ${tag}`),
      layer,
      claimedType: typeOf(layer, purpose),
    },
    isRecorded: recorded.has(layerKey(layer)),
  }));

  // Decide.
  const form = `${purpose}-layer` as const;
  const missing: Intended[] = [];
  const kept: Properties[] = [];
  const removed = new Set<string>();
  for (const payload of payloads) {
    const existing = await run.existing(attachments, purpose, listed, payload);
    const { keep, remove } = decide(conflict, form, existing);
    if (keep === undefined) missing.push(payload);
    else {
      run.say(`the image is ${doneFor[purpose]} already`, { image, type: payload.type });
      kept.push(keep.layer);
    }
    for (const { layer } of remove) removed.add(layerKey(layer));
  }
  if (missing.length === 0) return remembered(run, tag, layers, kept);
  checkRoom(current, missing.length, tag);

  // Sign.
  run.begin();
  const added: LegacyLayer[] = [];
  for (const payload of missing) {
    added.push(await makeLayer(run, image, payload, purpose, layerKind));
  }

  // Write, and look again.
  const isFirst = comesFirst(conflict, form);
  const { news, final } = await writeLayers(run, tag, added, removed, isFirst);
  return remembered(run, tag, final, [...kept, ...news]);
}

const doneFor = { signature: "signed", attestation: "attested" } as const;

/** What a layer claims to contain: a predicate type, or the payload with its digest. */
const typeOf = (layer: Properties, purpose: BundlePurpose): string | undefined =>
  purpose === "signature"
    ? String(layer["digest"])
    : annotationsOf(layer)[annotation.predicateType];

/** Signs a payload, logs the signature, and returns the verified layer. */
async function makeLayer(
  run: SignatureRun,
  image: Digest,
  { bytes, type }: Pick<Intended, "bytes" | "type">,
  purpose: BundlePurpose,
  kind: LogEntryKind,
): Promise<LegacyLayer> {
  const { rekorUrl, timestampUrls } = run;
  const form = `${purpose}-layer` as const;
  const logs = [{ url: rekorUrl, kind }];
  const made = await signAndLog(run, { payload: bytes, form, logs, timestampUrls });
  const evidence = await layerEvidence(run, made);
  const layer =
    purpose === "signature"
      ? signatureLayer(bytes, made.signature, evidence)
      : attestationLayer(made.content, type, evidence);
  await expectVerified(run, made, (rules) =>
    verifyAttached({ kind: "layer", layer }, image, purpose, rules),
  );
  return layer;
}

/**
 * Writes verified layers: their content, then the configuration, then the manifest under the tag. After a
 * concurrent write the layers are merged again, but nothing is signed again.
 *
 * What is removed is decided once: otherwise two concurrent runs could remove each other's layers forever.
 *
 * @param removed the keys of our layers to remove
 * @param isFirst true if the new layers come before the kept ones
 * @returns the entries of the new layers, and all layers under the tag
 */
async function writeLayers(
  run: SigningRun,
  tag: string,
  added: readonly LegacyLayer[],
  removed: ReadonlySet<string>,
  isFirst: boolean,
): Promise<{ readonly news: readonly Properties[]; readonly final: readonly Properties[] }> {
  const { repository, services, context } = run;
  const { uploads, updateTag } = services.registry;
  for (const { blob } of added) await uploads.put(repository, blob, context);
  const news = added.map((layer): Properties => ({ ...writeDescriptor(layerDescriptor(layer)) }));
  const newKeys = new Set(news.map(layerKey));
  const merged = (layers: readonly Properties[]): readonly Properties[] => {
    const stay = layers.filter(
      (layer) => ![newKeys, removed].some((keys) => keys.has(layerKey(layer))),
    );
    return isFirst ? [...news, ...stay] : [...stay, ...news];
  };
  /** True if the tag contains the new layers, and none of the replaced ones. */
  const isApplied = (current: Manifest | undefined): boolean => {
    const layers = attachedLayers(current, tag);
    const there = new Set(layers.map(layerKey));
    return [...newKeys].every((key) => there.has(key)) && merged(layers).length === layers.length;
  };
  let final: readonly Properties[] = [];
  const merge = async (current: Manifest | undefined) => {
    final = merged(attachedLayers(current, tag));
    if (isApplied(current)) return undefined;
    const { manifest, config } = attachedManifest(final, current, tag);
    await uploads.put(repository, config, context);
    return manifest;
  };
  const { mergedAgain } = await updateTag(repository, tag, { merge, isApplied }, context);
  run.say("wrote a tag", { tag, layers: final.length, mergedAgain });
  return { news, final };
}

/** The record for a tag: our layers in it, old and new. */
function remembered(
  run: SigningRun,
  tag: string,
  layers: readonly Properties[],
  ours: readonly Properties[],
): readonly WrittenLayer[] {
  const there = new Set(layers.map(layerKey));
  const mine = new Map<string, WrittenLayer>();
  for (const layer of ours) {
    const { digest } = layer;
    if (typeof digest !== "string" || !isDigest(digest)) continue;
    mine.set(layerKey(layer), { tag, digest, signature: signatureHashOf(layer) });
  }
  for (const [key, before] of run.recordedLayers(tag)) if (there.has(key)) mine.set(key, before);
  return [...mine.values()];
}
