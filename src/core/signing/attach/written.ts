import { isObject, type Properties } from "../../json/plain-json";
import { type Digest, isDigest } from "../oci/reference/descriptor";
import { parseRepository, type Repository } from "../oci/reference/image-name";
import { inParallel } from "../../http/in-parallel";
import type { CallContext } from "../../http/call-context";
import type { RegistryClient } from "../oci/registry/client";
import type { Manifest } from "../oci/registry/manifests";
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

/** A tag with other content has no layers of ours. */
function layersOrNone(manifest: Manifest | undefined, tag: string): readonly Properties[] {
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
