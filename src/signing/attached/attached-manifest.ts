import { isObject } from "../../json/is-object";
import { isDigest } from "../oci/reference/digest";
import { signingTypes } from "../sigstore/format/signing-types";
import { writeAttachedImage } from "../sigstore/format/attached-image";
import type { Descriptor } from "../oci/protocol/descriptor";
import { maxManifestBytes, type Manifest, type NewManifest } from "../oci/registry/manifests";
import type { JsonObject } from "../oci/protocol/read-json";
import { attachedLayers } from "./attached-layers";
import { SigningError } from "../run/signing-error";

const maxLayers = 1_000;

/** The manifest and the configuration of an image with signatures or attestations. */
export interface AttachedManifest {
  readonly manifest: NewManifest;
  readonly config: Buffer;
}

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
): AttachedManifest {
  if (layers.length > maxLayers) throw tooMany(tag, tooManyLayers);
  const { config, configDescriptor } = writeAttachedImage(layers.map(layerName));
  const before = current?.json ?? {};
  const { mediaType: configType = configDescriptor.mediaType } = isObject(before["config"])
    ? before["config"]
    : {};
  const json = {
    schemaVersion: 2,
    mediaType: current?.mediaType ?? newManifestType,
    ...before,
    config: { ...configDescriptor, mediaType: configType },
    layers,
  };
  const bytes = Buffer.from(JSON.stringify(json), "utf8");
  if (bytes.byteLength > maxManifestBytes) throw tooMany(tag, tooLarge);
  return { manifest: { mediaType: current?.mediaType ?? newManifestType, bytes }, config };
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

const newManifestType = "application/vnd.oci.image.manifest.v1+json";

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
