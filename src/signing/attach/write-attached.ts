import { type Digest, isDigest } from "../oci/reference/digest";
import type { Existing } from "./conflict";
import { writeDescriptor, emptyConfig, writeBundleManifest } from "../sigstore/format/manifest";
import { layerDescriptor, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { attachedLayers, attachedManifest, layerKey, signatureHashOf } from "./attached-manifest";
import type { WrittenLayer } from "./written";
import type { Manifest } from "../oci/registry/manifests";
import type { JsonObject } from "../oci/protocol/read-json";
import type { SigningRun } from "./signing-run";
import { annotation, signingTypes } from "../sigstore/format/names";
import { mediaTypes, type Descriptor } from "../oci/protocol/descriptor";
import { RegistryError } from "../oci/protocol/registry-error";

/** A layer, described for the functions that decide about conflicts. */
interface LayerItem {
  readonly layer: JsonObject;
}

/** New layers for a tag, and how to merge them with the existing ones. */
interface LayersUpdate<T extends LayerItem> {
  readonly tag: string;
  readonly added: readonly LegacyLayer[];
  /** The existing layers that were ours before anything was signed. */
  readonly ours: readonly T[];
  /** Describes a layer of the tag, including those that others added in the meantime. */
  readonly describe: (layer: JsonObject) => T;
  /** All layers including the new ones, in order. */
  readonly merge: (existing: readonly Existing<T>[], added: readonly T[]) => readonly T[];
}

/**
 * Writes verified layers: their content, then the configuration, then the manifest under the tag. After a
 * concurrent write the layers are merged again, but nothing is signed again.
 *
 * @returns the layers of the tag, and which of them are new
 */
export async function writeLayers<T extends LayerItem>(
  run: SigningRun,
  { tag, added, ours, describe, merge }: LayersUpdate<T>,
): Promise<{ readonly layers: readonly JsonObject[]; readonly added: readonly JsonObject[] }> {
  const { repository, services, context } = run;
  const { uploads } = services.registry;
  for (const { blob } of added) await uploads.put(repository, blob, context);
  const news = added.map((layer): JsonObject => ({ ...writeDescriptor(layerDescriptor(layer)) }));
  const newKeys = new Set(news.map(layerKey));
  const ourItems = new Map(ours.map((item) => [layerKey(item.layer), item]));
  let final: readonly JsonObject[] = [];

  // What is ours is decided once: otherwise two concurrent runs could remove each other's layers forever.
  const merged = (layers: readonly JsonObject[]): readonly JsonObject[] => {
    const existing = layers
      .filter((layer) => !newKeys.has(layerKey(layer)))
      .map((layer): Existing<T> => {
        const mine = ourItems.get(layerKey(layer));
        return mine === undefined
          ? { item: describe(layer), ownership: "other" }
          : { item: mine, ownership: "ours" };
      });
    return merge(existing, news.map(describe)).map(({ layer }) => layer);
  };

  const result = await services.registry.updateTag(
    repository,
    tag,
    {
      async merge(current) {
        final = merged(attachedLayers(current, tag));
        if (isApplied(current)) return undefined;
        const { manifest, config } = attachedManifest(final, current, tag);
        await uploads.put(repository, config, context);
        return manifest;
      },
      isApplied,
    },
    context,
  );
  run.say("wrote a tag", { tag, layers: final.length, mergedAgain: result.mergedAgain });
  return { layers: final, added: news };

  /** Whether the tag contains the new layers, and none of those that they replace. */
  function isApplied(current: Manifest | undefined): boolean {
    const layers = attachedLayers(current, tag);
    const there = new Set(layers.map(layerKey));
    return [...newKeys].every((key) => there.has(key)) && merged(layers).length === layers.length;
  }
}

/** The record for a tag: our layers in it, old and new. */
export function remembered(
  run: SigningRun,
  tag: string,
  layers: readonly JsonObject[],
  ours: readonly JsonObject[],
): readonly WrittenLayer[] {
  const there = new Set(layers.map(layerKey));
  const mine = new Map<string, WrittenLayer>();
  for (const layer of ours) {
    const { digest } = layer;
    if (typeof digest !== "string" || !isDigest(digest)) continue;
    mine.set(layerKey(layer), { tag, digest, signature: signatureHashOf(layer) });
  }
  for (const before of run.previous.layers) {
    const key = `${before.digest} ${before.signature}`;
    if (before.tag === tag && there.has(key)) mine.set(key, before);
  }
  return [...mine.values()];
}

/** A verified bundle to write. */
interface BundleToWrite {
  readonly subject: Descriptor;
  readonly bundle: Buffer;
  readonly predicateType: string;
}

/** Writes a verified bundle: its content, then the manifest that refers to the image. */
export async function writeBundleReferrer(
  run: SigningRun,
  { subject, bundle, predicateType }: BundleToWrite,
): Promise<Digest> {
  const { repository, services, context } = run;
  const { uploads, referrers } = services.registry;
  await uploads.put(repository, bundle, context);
  await uploads.put(repository, emptyConfig, context);
  const created = services.now();
  const bytes = writeBundleManifest({ subject, bundle, predicateType, created });
  const referrer = {
    mediaType: mediaTypes.imageManifest,
    bytes,
    artifactType: signingTypes.bundle,
    annotations: { [annotation.bundlePredicateType]: predicateType },
  };
  const { digest } = await referrers.add(repository, subject.digest, referrer, context);
  run.say("wrote a bundle", { subject: subject.digest, bundle: digest });
  return digest;
}

/**
 * Removes our replaced bundles, after the new one was written.
 *
 * What cannot be removed is kept, with a warning if `REPLACE` asked for it. It is no error: the new bundle
 * must be recorded, or the next run would write another one.
 *
 * @throws RegistryError `CANCELLED`, `DEADLINE`
 */
export async function removeBundles(
  run: SigningRun,
  subject: Digest,
  bundles: readonly Digest[],
): Promise<void> {
  const { repository, services, context } = run;
  for (const bundle of bundles) {
    try {
      await services.registry.referrers.remove(repository, subject, bundle, context);
      run.say("removed a bundle", { subject, bundle });
    } catch (error) {
      const isOver =
        error instanceof RegistryError && (error.code === "CANCELLED" || error.code === "DEADLINE");
      if (!(error instanceof RegistryError) || isOver) throw error;
      run.say("kept a bundle that cannot be removed", { subject, bundle, reason: error.message });
      if (run.conflict !== "REPLACE") continue;
      services.onWarning?.(
        `The bundle ${bundle} of ${subject} was replaced, but could not be removed and still ` +
          `verifies: ${error.message}`,
      );
    }
  }
}
