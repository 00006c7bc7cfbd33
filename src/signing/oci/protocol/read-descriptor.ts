import { isObject } from "../../../json/is-object";
import { isDigest } from "../reference/digest";
import type { Descriptor } from "./descriptor";
import { readStrings } from "./read-json";

/** Parses an untrusted descriptor; undefined if it has no media type, valid digest or size. */
export function readDescriptor(value: unknown): Descriptor | undefined {
  if (!isObject(value)) return undefined;
  const { mediaType, digest, size, artifactType } = value;
  if (typeof mediaType !== "string" || typeof digest !== "string" || !isDigest(digest)) {
    return undefined;
  }
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  const annotations = readStrings(value["annotations"]);
  return {
    mediaType,
    digest,
    size,
    ...(annotations === undefined ? {} : { annotations }),
    ...(typeof artifactType === "string" ? { artifactType } : {}),
  };
}

/** Parses a list of untrusted descriptors, without the invalid ones. */
export function readDescriptors(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => readDescriptor(entry) ?? []);
}
