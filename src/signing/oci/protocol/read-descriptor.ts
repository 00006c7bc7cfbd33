import { isObject } from "../../../json/is-object";
import { isDigest } from "../reference/digest";
import type { Descriptor } from "./descriptor";
import { readTexts } from "./read-json";

/** A descriptor of another party; undefined when it names nothing by a sha256 digest. */
export function readDescriptor(value: unknown): Descriptor | undefined {
  if (!isObject(value)) return undefined;
  const { mediaType, digest, size, artifactType } = value;
  if (typeof mediaType !== "string" || typeof digest !== "string" || !isDigest(digest)) {
    return undefined;
  }
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  const annotations = readTexts(value["annotations"]);
  return {
    ...{ mediaType, digest, size },
    ...(annotations === undefined ? {} : { annotations }),
    ...(typeof artifactType === "string" ? { artifactType } : {}),
  };
}

/** The descriptors in a list; those that cannot be read are left out. */
export function readDescriptors(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => readDescriptor(entry) ?? []);
}
