import { isObject } from "../../json/plain-json";
import { isDigest, sha256Hex } from "../oci/reference/digest";
import type { Existing } from "./conflict";
import type { SigningRun, WrittenLayer } from "./signing-run";
import { layerDescriptor, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { type Descriptor, mediaTypes } from "../oci/protocol/descriptor";
import { type Manifest, maxManifestBytes, type NewManifest } from "../oci/registry/manifests";
import { type JsonObject, readStrings } from "../oci/protocol/read-json";
import { SigningError } from "./signing-error";
import { annotation, signingTypes } from "../sigstore/format/names";
import { writeAttachedConfig, writeDescriptor } from "../sigstore/format/manifest";

const maxLayers = 1_000;

/**
 * Builds the image for a tag from layers, in this order. Keeps the other members of the current manifest,
 * known or not.
 *
 * @throws SigningError `TOO_MANY_LAYERS`
 */
export function attachedManifest(
  layers: readonly JsonObject[],
  current: Manifest | undefined,
  tag: string,
): { readonly manifest: NewManifest; readonly config: Buffer } {
  if (layers.length > maxLayers) throw tooMany(tag, tooManyLayers);
  const { config, configDescriptor } = writeAttachedConfig(layers.map(layerName));
  const before = current?.json ?? {};
  const { mediaType: configType = configDescriptor.mediaType } = isObject(before["config"])
    ? before["config"]
    : {};
  const json = {
    schemaVersion: 2,
    mediaType: current?.mediaType ?? mediaTypes.imageManifest,
    ...before,
    config: { ...configDescriptor, mediaType: configType },
    layers,
  };
  const bytes = Buffer.from(JSON.stringify(json), "utf8");
  if (bytes.byteLength > maxManifestBytes) throw tooMany(tag, tooLarge);
  return { manifest: { mediaType: current?.mediaType ?? mediaTypes.imageManifest, bytes }, config };
}

/**
 * Checks that a tag has room for new layers, before anything is signed.
 *
 * @throws SigningError `TOO_MANY_LAYERS`
 */
export function checkRoom(current: Manifest | undefined, newLayers: number, tag: string): void {
  const layers = attachedLayers(current, tag).length + newLayers;
  if (layers > maxLayers) throw tooMany(tag, tooManyLayers);
  const bytes = (current?.bytes.byteLength ?? 0) + newLayers * maxLayerBytes;
  if (bytes > maxManifestBytes) throw tooMany(tag, tooLarge);
}

const tooManyLayers = `more than ${maxLayers} layers`;
const tooLarge = `a manifest of more than ${maxManifestBytes / 1024 / 1024} MiB`;

// More than the annotations with certificates, log entry and timestamp need.
const maxLayerBytes = 65_536;

/** The layer's entry for the configuration. */
function layerName({ digest }: JsonObject): Descriptor {
  const named = typeof digest === "string" && isDigest(digest) ? digest : unnamed;
  return { mediaType: signingTypes.dsseEnvelope, size: 0, digest: named };
}

// No tool reads the configuration, but it must list as many layers as the manifest.
const unnamed = `sha256:${"0".repeat(64)}` as const;

function tooMany(tag: string, what: string): SigningError {
  const message =
    `the tag ${tag} would have ${what}, which is more than tools can read; ` +
    "remove signatures that are no longer needed, and try again";
  return new SigningError("TOO_MANY_LAYERS", message);
}

/**
 * The layers of an image with signatures or attestations, as in its manifest and with all their members.
 *
 * @throws SigningError `ATTACHMENTS_MALFORMED` if the manifest is not an image
 */
export function attachedLayers(
  manifest: Pick<Manifest, "json" | "mediaType"> | undefined,
  tag: string,
): readonly JsonObject[] {
  if (manifest === undefined) return [];
  const { json, mediaType } = manifest;
  const { layers = [] } = json;
  if (isImage(mediaType) && Array.isArray(layers) && layers.every(isObject)) return layers;
  const message =
    `the tag ${tag} does not contain signatures or attestations; ` +
    "remove or rename that tag, and try again";
  throw new SigningError("ATTACHMENTS_MALFORMED", message);
}

/** The annotations of a layer that are strings. */
export function annotationsOf(layer: JsonObject): Readonly<Record<string, string>> {
  return readStrings(layer["annotations"]) ?? {};
}

/**
 * A key that identifies a layer: its digest and its signature. All signatures of an image have the same
 * digest, and other tools may change the order of members.
 */
export function layerKey(layer: JsonObject): string {
  return `${String(layer["digest"])} ${signatureHashOf(layer)}`;
}

/** SHA-256 of the layer's signature annotation, in hexadecimal. */
function signatureHashOf(layer: JsonObject): string {
  return sha256Hex(Buffer.from(annotationsOf(layer)[annotation.signature] ?? "", "utf8"));
}

function isImage(mediaType: string): boolean {
  return mediaType === mediaTypes.imageManifest || mediaType === mediaTypes.dockerManifest;
}

/** A layer, described for the functions that decide about conflicts. */
interface LayerItem {
  readonly layer: JsonObject;
}

/** New layers for a tag, and how to merge them with the existing ones. */
interface LayersUpdate<T extends LayerItem> {
  readonly tag: string;
  readonly added: readonly LegacyLayer[];
  /** The existing layers that matter for the merge, and which were ours before anything was signed. */
  readonly existing: readonly Existing<T>[];
  /** Our layers that stay as they are. @default none */
  readonly same?: readonly JsonObject[] | undefined;
  /** Describes a layer of the tag, including those that others added in the meantime. */
  readonly describe: (layer: JsonObject) => T;
  /** All layers including the new ones, in order. */
  readonly merge: (existing: readonly Existing<T>[], added: readonly T[]) => readonly T[];
}

/**
 * Writes verified layers: their content, then the configuration, then the manifest under the tag. After a
 * concurrent write the layers are merged again, but nothing is signed again.
 *
 * @returns our layers under the tag
 */
export async function writeLayers<T extends LayerItem>(
  run: SigningRun,
  { tag, added, existing, same = [], describe, merge }: LayersUpdate<T>,
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context } = run;
  const { uploads } = services.registry;
  for (const { blob } of added) await uploads.put(repository, blob, context);
  const news = added.map((layer): JsonObject => ({ ...writeDescriptor(layerDescriptor(layer)) }));
  const newKeys = new Set(news.map(layerKey));
  const ours = existing.filter(({ ownership }) => ownership === "ours");
  const ourItems = new Map(ours.map((each) => [layerKey(each.item.layer), each]));
  let final: readonly JsonObject[] = [];

  // What is ours is decided once: otherwise two concurrent runs could remove each other's layers forever.
  const merged = (layers: readonly JsonObject[]): readonly JsonObject[] => {
    const others = layers.filter((layer) => !newKeys.has(layerKey(layer)));
    const before = others.map(
      (layer): Existing<T> =>
        ourItems.get(layerKey(layer)) ?? { item: describe(layer), ownership: "other" },
    );
    return merge(before, news.map(describe)).map(({ layer }) => layer);
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
  return remembered(run, tag, final, [...same, ...news]);

  /** True if the tag contains the new layers, and none of those that they replace. */
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
  for (const [key, before] of recordedLayers(run, tag)) if (there.has(key)) mine.set(key, before);
  return [...mine.values()];
}

/** The layers under a tag in our record, by their keys. */
export function recordedLayers(
  { previous: { layers } }: SigningRun,
  tag: string,
): ReadonlyMap<string, WrittenLayer> {
  const under = layers.filter((each) => each.tag === tag);
  return new Map(under.map((each) => [`${each.digest} ${each.signature}`, each]));
}
