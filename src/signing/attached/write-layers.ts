import { isDigest } from "../oci/reference/digest";
import type { Existing } from "../conflict/conflict";
import { writeDescriptor } from "../sigstore/format/attached-image";
import { layerDescriptor, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { attachedLayers, layerKey, signatureHashOf } from "./attached-layers";
import type { WrittenLayer } from "../run/written";
import type { Manifest } from "../oci/registry/manifests";
import type { JsonObject } from "../oci/protocol/read-json";
import { attachedManifest } from "./attached-manifest";
import type { SigningRun } from "../run/signing-run";

/** A layer, described for the functions that decide about conflicts. */
export interface LayerItem {
  readonly layer: JsonObject;
}

/** New layers for a tag, and how to merge them with the existing ones. */
export interface LayersUpdate<T extends LayerItem> {
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
