import { type Descriptor, readDescriptor } from "../oci/protocol/descriptor";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { readStrings } from "../oci/protocol/read-json";
import type { Digest } from "../oci/reference/digest";
import type { Manifest } from "../oci/registry/manifests";
import type { SigningRun } from "./signing-run";
import { annotation, isBundleType, signingTypes } from "../sigstore/format/names";

/** A bundle that refers to an image, as its manifest describes it. Its content is not read yet. */
interface ListedBundle {
  /** Digest of the manifest. */
  readonly digest: Digest;
  /** The predicate type that an annotation claims. */
  readonly claimedType: string | undefined;
  /** The bundle; undefined if the manifest does not have exactly one layer. */
  readonly layer: Pick<Descriptor, "digest" | "size"> | undefined;
}

/** The bundles that refer to an image, without their content. Those in our record are read first. */
export async function findBundles(
  { repository, services, context, previous }: SigningRun,
  image: Digest,
  budget: ReadBudget,
): Promise<readonly ListedBundle[]> {
  const found: ListedBundle[] = [];
  const visited = await services.registry.referrers.visit(repository, image, context, {
    wanted: mayBeBundle,
    budget,
    first: new Set(previous.bundles.map(({ digest }) => digest)),
    visit({ manifest }) {
      const bundle = listedBundle(manifest);
      if (bundle !== undefined) found.push(bundle);
    },
  });
  // Nothing can be written then, so nothing must be signed and logged either.
  if (visited.refusal !== undefined) throw visited.refusal;
  for (const problem of [visited.problem, visited.unread]) {
    if (problem !== undefined) services.onProgress?.(problem, { image });
  }
  return found;
}

/**
 * Checks whether a referrer may be a bundle, by its entry in the list. Some registries list the media type of the
 * configuration instead of the bundle's type.
 */
export function mayBeBundle({ artifactType: type }: Descriptor): boolean {
  return type === undefined || isBundleType(type) || type === signingTypes.emptyConfig;
}

/** The parts of a bundle's manifest that are kept; undefined if the manifest is not that of a bundle. */
export function listedBundle({ digest, json }: Manifest): ListedBundle | undefined {
  const { artifactType, layers, annotations } = json;
  if (typeof artifactType !== "string" || !isBundleType(artifactType)) return undefined;
  const claimed = readStrings(annotations)?.[annotation.bundlePredicateType];
  const layer =
    Array.isArray(layers) && layers.length === 1 ? readDescriptor(layers[0]) : undefined;
  return {
    digest,
    claimedType: claimed?.slice(0, maxTypeLength),
    layer: layer && { digest: layer.digest, size: layer.size },
  };
}

// A longer type is no wanted one, cut or not.
const maxTypeLength = 4_096;
