import { isObject } from "../../json/is-object";
import { annotation } from "../sigstore/format/annotation";
import { sha256Hex } from "../oci/reference/digest-of";
import { mediaTypes } from "../oci/protocol/descriptor";
import type { Manifest } from "../oci/registry/manifests";
import { readStrings, type JsonObject } from "../oci/protocol/read-json";
import { SigningError } from "../run/signing-error";

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
export function signatureHashOf(layer: JsonObject): string {
  return sha256Hex(Buffer.from(annotationsOf(layer)[annotation.signature] ?? "", "utf8"));
}

function isImage(mediaType: string): boolean {
  return mediaType === mediaTypes.imageManifest || mediaType === mediaTypes.dockerManifest;
}
