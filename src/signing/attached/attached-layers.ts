import { isObject } from "../../json/is-object";
import { annotation } from "../sigstore/format/annotation";
import { sha256Hex } from "../sigstore/payload/digest-of";
import { mediaTypes } from "../oci/protocol/descriptor";
import type { Manifest } from "../oci/registry/manifests";
import { readTexts, type JsonObject } from "../oci/protocol/read-json";
import { SigningError } from "../run/signing-error";

/**
 * The layers of an image with signatures as they stand in its manifest, whoever wrote them: they are kept
 * with every member, known or not.
 *
 * @throws SigningError `ATTACHMENTS_MALFORMED` when it is no image
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
    `the tag ${tag} holds something else than signatures or attestations; ` +
    "remove that tag, or give it another name, and run it again";
  throw new SigningError("ATTACHMENTS_MALFORMED", message);
}

export function annotationsOf(layer: JsonObject): Readonly<Record<string, string>> {
  return readTexts(layer["annotations"]) ?? {};
}

/**
 * What tells layers apart: everybody's signatures of an image have the same digest, and other tools may
 * write the rest of the layer in another order.
 */
export function layerKey(layer: JsonObject): string {
  return `${String(layer["digest"])} ${signatureHashOf(layer)}`;
}

export function signatureHashOf(layer: JsonObject): string {
  return sha256Hex(Buffer.from(annotationsOf(layer)[annotation.signature] ?? "", "utf8"));
}

function isImage(mediaType: string): boolean {
  return mediaType === mediaTypes.imageManifest || mediaType === mediaTypes.dockerManifest;
}
