import type { Digest } from "../oci/reference/digest";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { readAttachedBlob, type SigningRun } from "./signing-run";
import { signPredicateType } from "../sigstore/payload/statement";
import { isVerified } from "../sigstore/verification/verification";
import { verifyBundle, type BundlePurpose } from "../sigstore/verification/verify-bundle";
import { giveWay, rulesForAnySigner, type Candidate } from "./ownership";
import { isSameStatement, type IntendedStatement } from "./conflict";
import { annotation, isBundleType, signingTypes } from "../sigstore/format/names";
import type { Descriptor } from "../oci/protocol/descriptor";
import { readDescriptor } from "../oci/protocol/read-descriptor";
import { readStrings } from "../oci/protocol/read-json";
import type { Manifest } from "../oci/registry/manifests";

/** A bundle that refers to an image. */
export interface FoundBundle {
  readonly digest: Digest;
  readonly predicateType: string | undefined;
  /** SHA-256 of its statement, in hexadecimal; undefined if the bundle does not verify. */
  readonly statementSha256: string | undefined;
}

/** The bundles that refer to an image, without their content. Those in our record are read first. */
export async function bundleReferrers(
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
 * The bundles that may contain a statement of the intended type. The label of a bundle only saves reading others:
 * cosign 2.6.4 labels each bundle that it makes with a signing config as a signature, attestations too. So what is
 * signed decides about these, after all others are read.
 */
export async function bundleCandidates(
  run: SigningRun,
  image: Digest,
  referrers: readonly ListedBundle[],
  intended: IntendedStatement,
  purpose: BundlePurpose,
  budget: ReadBudget,
): Promise<readonly Candidate<FoundBundle>[]> {
  const recorded = new Set(
    run.previous.bundles.filter(({ subject }) => subject === image).map(({ digest }) => digest),
  );
  const candidates: Candidate<FoundBundle>[] = [];
  const isRead = ({ claimedType: type }: ListedBundle) =>
    type === undefined || type === intended.predicateType || type === signPredicateType;
  const isLast = ({ claimedType }: ListedBundle) =>
    Number(claimedType === signPredicateType && intended.predicateType !== signPredicateType);
  const order = (bundle: ListedBundle) =>
    recorded.has(bundle.digest) ? -1 : (bundle.layer?.size ?? 0);
  const inOrder = referrers
    .filter(isRead)
    .toSorted((a, b) => isLast(a) - isLast(b) || order(a) - order(b));
  for (const { digest, claimedType, layer } of inOrder) {
    if (layer === undefined) continue;
    const bytes = await readAttachedBlob(run, layer, budget);
    await giveWay(run);
    const result = bytes && verifyBundle(bytes, image, purpose, await rulesForAnySigner(run));
    const verified = result && isVerified(result) ? result : undefined;
    const predicateType = verified?.statement.predicateType ?? claimedType;
    if (predicateType !== intended.predicateType) continue;
    const isSame = verified !== undefined && isSameStatement(verified, intended);
    candidates.push({
      item: {
        digest,
        predicateType,
        statementSha256: isSame ? intended.statementSha256 : verified?.statementSha256,
      },
      isRecorded: recorded.has(digest),
      signer: verified?.signer,
      isSameStatement: isSame,
    });
  }
  return candidates;
}

/** A bundle that refers to an image, as its manifest describes it. Its content is not read yet. */
interface ListedBundle {
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
