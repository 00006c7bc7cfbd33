import type { CallContext } from "../../http/call-context";
import { inParallel } from "../../http/in-parallel";
import { isObject, type Properties } from "../../json/plain-json";
import {
  type Descriptor,
  type Digest,
  isDigest,
  mediaTypes,
  readStrings,
  sha256Hex,
} from "../oci/reference/descriptor";
import { parseRepository, type Repository } from "../oci/reference/image-name";
import type { RegistryClient } from "../oci/registry/client";
import { type Manifest, maxManifestBytes, type NewManifest } from "../oci/registry/manifests";
import { annotation, signingTypes, writeAttachedConfig } from "../sigstore/format/manifest";
import { type SigningError, signingError, isSigningError } from "./signing-error";

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
  return signingError("TOO_MANY_LAYERS", message);
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
  throw signingError("ATTACHMENTS_MALFORMED", message);
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

/**
 * A record of what we wrote to a registry. It is small, contains no secrets, and is plain JSON.
 *
 * A later read looks for its content, which is ours even if our identity is not known.
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
  if (!layers.every(isLayer) || !bundles.every(isBundle)) return undefined;
  return { version: 1, repository, layers, bundles };
}

const isLayer = (value: unknown): value is WrittenLayer =>
  isObject(value) &&
  matches(value["tag"], /^sha(?:256|512)-[0-9a-f]{64}\.(?:sig|att)$/) &&
  isDigestText(value["digest"]) &&
  matches(value["signature"], /^[0-9a-f]{64}$/);

const isBundle = (value: unknown): value is WrittenBundle =>
  isObject(value) && isDigestText(value["subject"]) && isDigestText(value["digest"]);

const isDigestText = (value: unknown): boolean => typeof value === "string" && isDigest(value);

const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

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
  const tags = new Set(written.layers.map(({ tag }) => tag));
  const subjects = new Set(written.bundles.map(({ subject }) => subject));
  const checks = [
    ...Array.from(tags, (tag) => () => missingLayers(place, tag, written)),
    ...Array.from(subjects, (subject) => () => missingBundles(place, subject, written)),
  ];
  const missing: (readonly string[])[] = [];
  await inParallel(parallelChecks, checks.entries(), async ([index, check]) => {
    missing[index] = await check();
  });
  return missing.flat();
}

// An index has a tag or a list for each of its images.
const parallelChecks = 4;

interface Place {
  readonly repository: Repository;
  readonly registry: RegistryClient;
  readonly context: CallContext;
}

async function missingLayers(
  { repository, registry, context }: Place,
  tag: string,
  { layers }: Written,
): Promise<readonly string[]> {
  const manifest = await registry.manifests.get(repository, tag, context);
  const there = new Set(layersOrNone(manifest, tag).map(layerKey));
  const kind = tag.endsWith(".att") ? "an attestation" : "the signature";
  return layers
    .filter((each) => each.tag === tag && !there.has(`${each.digest} ${each.signature}`))
    .map(() => `${kind} at the tag ${tag}`);
}

/** A tag with other content has none of our layers. */
function layersOrNone(manifest: Manifest | undefined, tag: string): readonly Properties[] {
  try {
    return attachedLayers(manifest, tag);
  } catch (error) {
    if (isSigningError(error)) return [];
    throw error;
  }
}

async function missingBundles(
  { repository, registry, context }: Place,
  subject: Digest,
  { bundles }: Written,
): Promise<readonly string[]> {
  const { referrers, hasMore } = await registry.referrers.list(repository, subject, context);
  const missing: string[] = [];
  for (const { digest } of bundles.filter((each) => each.subject === subject)) {
    // A list may contain deleted bundles, and may lack existing ones.
    const exists =
      (hasMore === true || referrers.some((referrer) => referrer.digest === digest)) &&
      (await registry.manifests.head(repository, digest, context)) !== undefined;
    if (!exists) missing.push(`the bundle ${digest} of ${subject}`);
  }
  return missing;
}
