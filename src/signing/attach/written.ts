import { isObject } from "../../json/is-object";
import { type Digest, isDigest } from "../oci/reference/digest";
import { parseRepository, type Repository } from "../oci/reference/repository";
import type { CallContext } from "../../http/call-context";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
import type { JsonObject } from "../oci/protocol/read-json";
import { SigningError } from "./signing-error";
import { attachedLayers, layerKey } from "./attached-layers";

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

/**
 * Finds out what is no longer in the registry.
 *
 * If the repository does not exist, everything is missing. A registry that does not respond is an error.
 *
 * @returns a phrase for each missing item
 *
 * @throws RegistryError
 */
export async function missingOf(
  written: Written,
  { registry }: { readonly registry: RegistryClient },
  context: CallContext,
): Promise<readonly string[]> {
  const repository = parseRepository(written.repository);
  if ("problem" in repository) {
    throw new Error(`the record contains an invalid repository: it ${repository.problem}`);
  }
  const place = { repository, registry, context };
  const missing: string[] = [];
  for (const [tag, layers] of grouped(written.layers, ({ tag }) => tag)) {
    missing.push(...(await missingLayers(place, tag, layers)));
  }
  for (const [subject, bundles] of grouped(written.bundles, ({ subject }) => subject)) {
    missing.push(...(await missingBundles(place, subject, bundles)));
  }
  return missing;
}

interface Place {
  readonly repository: Repository;
  readonly registry: RegistryClient;
  readonly context: CallContext;
}

async function missingLayers(
  { repository, registry, context }: Place,
  tag: string,
  layers: readonly WrittenLayer[],
): Promise<readonly string[]> {
  const manifest = await registry.manifests.get(repository, tag, context);
  const there = new Set(layersOrNone(manifest, tag).map(layerKey));
  const kind = tag.endsWith(".att") ? "an attestation" : "the signature";
  return layers
    .filter(({ digest, signature }) => !there.has(`${digest} ${signature}`))
    .map(() => `${kind} at the tag ${tag}`);
}

/** A tag with other content has no layers of ours. */
function layersOrNone(manifest: Manifest | undefined, tag: string): readonly JsonObject[] {
  try {
    return attachedLayers(manifest, tag);
  } catch (error) {
    if (error instanceof SigningError) return [];
    throw error;
  }
}

async function missingBundles(
  { repository, registry, context }: Place,
  subject: Digest,
  bundles: readonly WrittenBundle[],
): Promise<readonly string[]> {
  const { referrers, hasMore } = await registry.referrers.list(repository, subject, context);
  const missing: string[] = [];
  for (const { digest } of bundles) {
    // A list may contain deleted bundles, and may lack existing ones.
    const exists =
      (hasMore === true || referrers.some((referrer) => referrer.digest === digest)) &&
      (await registry.manifests.head(repository, digest, context)) !== undefined;
    if (!exists) missing.push(`the bundle ${digest} of ${subject}`);
  }
  return missing;
}

function grouped<K, T>(items: readonly T[], key: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
