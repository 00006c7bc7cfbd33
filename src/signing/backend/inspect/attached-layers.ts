import { annotation } from "../format/annotation";
import { sha256Hex } from "../format/digest-of";
import type { Manifest } from "../registry/manifests";
import { isJsonObject, readTexts, type JsonObject } from "../registry/read-json";

/**
 * The layers of an image as they stand in its manifest, whoever wrote them: they are kept with every
 * member, known or not. What is not an object is none.
 */
export function rawLayers({ json }: Pick<Manifest, "json">): readonly JsonObject[] {
  const { layers } = json;
  return Array.isArray(layers) ? layers.filter(isJsonObject) : [];
}

export function annotationsOf(layer: JsonObject): Readonly<Record<string, string>> {
  return readTexts(layer["annotations"]) ?? {};
}

/** What tells signatures apart whose payload is the same. */
export function signatureHashOf(layer: JsonObject): string {
  return sha256Hex(Buffer.from(annotationsOf(layer)[annotation.signature] ?? "", "utf8"));
}
