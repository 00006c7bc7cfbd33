import { isObject } from "../../json/is-object";
import { isDigest, type Digest } from "../oci/reference/digest";
import { parseRepository } from "../oci/reference/repository";

/**
 * A record of what we wrote to a registry. It is small, contains no secrets, and is plain JSON.
 *
 * It tells what to look for in a later read, and what is ours without knowing our identity.
 */
export interface Written {
  readonly version: 1;
  /** `host/repository` */
  readonly repository: string;
  readonly layers: readonly WrittenLayer[];
  readonly bundles: readonly WrittenBundle[];
}

/** A layer with a signature or an attestation, in the image under a tag. */
export interface WrittenLayer {
  /** The tag of a digest with `.sig` or `.att`. */
  readonly tag: string;
  readonly digest: Digest;
  /** SHA-256 of the annotation with the signature: layers of all signers have the same digest. */
  readonly signature: string;
}

/** A bundle's manifest, which refers to an image. */
export interface WrittenBundle {
  readonly subject: Digest;
  readonly digest: Digest;
}

/** Parses a stored record; undefined if it is not valid. */
export function parseWritten(value: unknown): Written | undefined {
  if (!isObject(value) || value["version"] !== 1) return undefined;
  const { repository, layers, bundles } = value;
  if (typeof repository !== "string" || "problem" in parseRepository(repository)) return undefined;
  if (!Array.isArray(layers) || !Array.isArray(bundles)) return undefined;
  const readLayers = layers.map(readLayer);
  const readBundles = bundles.map(readBundle);
  if (!readLayers.every(isDefined) || !readBundles.every(isDefined)) return undefined;
  return { version: 1, repository, layers: readLayers, bundles: readBundles };
}

function readLayer(value: unknown): WrittenLayer | undefined {
  if (!isObject(value)) return undefined;
  const { tag, digest, signature } = value;
  if (typeof tag !== "string" || !/^sha(?:256|512)-[0-9a-f]{64}\.(?:sig|att)$/.test(tag))
    return undefined;
  if (typeof digest !== "string" || !isDigest(digest)) return undefined;
  if (typeof signature !== "string" || !/^[0-9a-f]{64}$/.test(signature)) return undefined;
  return { tag, digest, signature };
}

function readBundle(value: unknown): WrittenBundle | undefined {
  if (!isObject(value)) return undefined;
  const { subject, digest } = value;
  if (typeof subject !== "string" || !isDigest(subject)) return undefined;
  if (typeof digest !== "string" || !isDigest(digest)) return undefined;
  return { subject, digest };
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
