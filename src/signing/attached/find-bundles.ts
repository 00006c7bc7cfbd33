import type { Digest } from "../oci/reference/digest";
import { annotation } from "../sigstore/format/annotation";
import { readReferrerManifest, type ReferrerManifest } from "../sigstore/format/bundle-manifest";
import { FormatError } from "../sigstore/payload/format-error";
import { isBundleType, signingTypes } from "../sigstore/format/signing-types";
import { JsonError } from "../../json/json-error";
import type { Referrer } from "../oci/registry/referrers";
import type { SigningRun } from "../run/signing-run";
import { isVerified } from "../sigstore/verification/verification";
import { verifyBundle, type BundlePurpose } from "../sigstore/verification/verify-bundle";
import { readAttachedBlob } from "./read-attached-blob";
import { giveWay, rulesForAnySigner, type Candidate } from "./ownership";
import { isSameStatement, type IntendedStatement } from "./intended-statement";

/** A bundle that refers to an image. */
export interface FoundBundle {
  readonly digest: Digest;
  readonly predicateType: string | undefined;
  /** SHA-256 of its statement, in hexadecimal; undefined if the bundle does not verify. */
  readonly statementSha256: string | undefined;
}

/** The manifests of bundles that refer to an image. */
export async function bundleReferrers(
  { repository, services, context }: SigningRun,
  image: Digest,
): Promise<readonly { digest: Digest; manifest: ReferrerManifest }[]> {
  // Some registries list the media type of the configuration instead of the bundle's type.
  const { found, problem } = await services.registry.referrers.read(
    repository,
    image,
    context,
    ({ artifactType: type }) =>
      type === undefined || isBundleType(type) || type === signingTypes.emptyConfig,
  );
  if (problem !== undefined) services.onProgress?.(problem, { image });
  return found.flatMap((referrer) => {
    const manifest = parseManifest(referrer);
    const isBundle = manifest !== undefined && isBundleType(manifest.artifactType);
    return isBundle ? [{ digest: referrer.manifest.digest, manifest }] : [];
  });
}

/** The bundles that may contain a statement of the intended type. */
export async function bundleCandidates(
  run: SigningRun,
  image: Digest,
  referrers: readonly { digest: Digest; manifest: ReferrerManifest }[],
  intended: IntendedStatement,
  purpose: BundlePurpose,
): Promise<readonly Candidate<FoundBundle>[]> {
  const recorded = new Set(
    run.previous.bundles.filter(({ subject }) => subject === image).map(({ digest }) => digest),
  );
  const candidates: Candidate<FoundBundle>[] = [];
  for (const { digest, manifest } of referrers) {
    const annotated = manifest.annotations[annotation.bundlePredicateType];
    const [layer, ...others] = manifest.layers;
    if (annotated !== undefined && annotated !== intended.predicateType) continue;
    if (layer === undefined || others.length > 0) continue;
    const bytes = await readAttachedBlob(run, layer);
    await giveWay(run);
    const result = bytes && verifyBundle(bytes, image, purpose, await rulesForAnySigner(run));
    const verified = result && isVerified(result) ? result : undefined;
    const predicateType = verified?.statement.predicateType ?? annotated;
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

function parseManifest({ manifest }: Referrer): ReferrerManifest | undefined {
  try {
    return readReferrerManifest(manifest.bytes);
  } catch (error) {
    if (error instanceof JsonError || error instanceof FormatError) return undefined;
    throw error;
  }
}
