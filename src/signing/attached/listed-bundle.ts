import { annotation } from "../sigstore/format/annotation";
import { isBundleType, signingTypes } from "../sigstore/format/signing-types";
import type { Descriptor } from "../oci/protocol/descriptor";
import { readDescriptor } from "../oci/protocol/read-descriptor";
import { readStrings } from "../oci/protocol/read-json";
import type { Digest } from "../oci/reference/digest";
import type { Manifest } from "../oci/registry/manifests";

/** A bundle that refers to an image, as its manifest describes it. Its content is not read yet. */
export interface ListedBundle {
  /** Digest of the manifest. */
  readonly digest: Digest;
  /** The predicate type that an annotation claims. */
  readonly claimedType: string | undefined;
  /** The bundle; undefined if the manifest does not have exactly one layer. */
  readonly layer: Pick<Descriptor, "digest" | "size"> | undefined;
}

/**
 * Whether a referrer may be a bundle, by its entry in the list. Some registries list the media type of the
 * configuration instead of the bundle's type.
 */
export function mayBeBundle({ artifactType: type }: Descriptor): boolean {
  return type === undefined || isBundleType(type) || type === signingTypes.emptyConfig;
}

/** What is kept of a bundle's manifest; undefined if the manifest is not that of a bundle. */
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
