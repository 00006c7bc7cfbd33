import { isObject, type Properties } from "../../json/plain-json";
import {
  isDigest,
  sha256Hex,
  type Descriptor,
  mediaTypes,
  readStrings,
} from "../oci/reference/descriptor";
import { type Manifest, maxManifestBytes, type NewManifest } from "../oci/registry/manifests";
import { SigningError } from "./signing-error";
import { annotation, signingTypes, writeAttachedConfig } from "../sigstore/format/manifest";

const maxLayers = 1_000;

/**
 * Builds the image for a tag from layers, in this order. Keeps the other members of the current manifest,
 * known or not.
 *
 * @throws SigningError `TOO_MANY_LAYERS`
 */
export function attachedManifest(
  layers: readonly Properties[],
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

/** Checks that a tag has room for new layers, before anything is signed. @throws SigningError `TOO_MANY_LAYERS` */
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
function layerName({ digest }: Properties): Descriptor {
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
): readonly Properties[] {
  if (manifest === undefined) return [];
  const { json, mediaType } = manifest;
  const { layers = [] } = json;
  if (isImage(mediaType) && Array.isArray(layers) && layers.every(isObject)) return layers;
  const message =
    `the tag ${tag} does not contain signatures or attestations; ` +
    "remove or rename that tag, and try again";
  throw new SigningError("ATTACHMENTS_MALFORMED", message);
}

export function annotationsOf(layer: Properties): Readonly<Record<string, string>> {
  return readStrings(layer["annotations"]) ?? {};
}

/**
 * A key that identifies a layer: its digest and its signature. All signatures of an image have the same
 * digest, and other tools may change the order of members.
 */
export function layerKey(layer: Properties): string {
  return `${String(layer["digest"])} ${signatureHashOf(layer)}`;
}

/** SHA-256 of the layer's signature annotation, in hexadecimal. */
export function signatureHashOf(layer: Properties): string {
  return sha256Hex(Buffer.from(annotationsOf(layer)[annotation.signature] ?? "", "utf8"));
}

function isImage(mediaType: string): boolean {
  return mediaType === mediaTypes.imageManifest || mediaType === mediaTypes.dockerManifest;
}
