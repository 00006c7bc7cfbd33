import type { Digest } from "../oci/reference/digest";
import { annotation } from "../sigstore/format/annotation";
import { emptyConfig, writeBundleManifest } from "../sigstore/format/bundle-manifest";
import { signingTypes } from "../sigstore/format/signing-types";
import { mediaTypes, type Descriptor } from "../oci/protocol/descriptor";
import { RegistryError } from "../oci/protocol/registry-error";
import type { SigningRun } from "../run/signing-run";

/** A verified bundle to write. */
export interface BundleToWrite {
  readonly subject: Descriptor;
  readonly bundle: Buffer;
  readonly predicateType: string;
}

/** Writes a verified bundle: its content, then the manifest that refers to the image. */
export async function writeBundleReferrer(
  run: SigningRun,
  { subject, bundle, predicateType }: BundleToWrite,
): Promise<Digest> {
  const { repository, services, context } = run;
  const { uploads, referrers } = services.registry;
  await uploads.put(repository, bundle, context);
  await uploads.put(repository, emptyConfig, context);
  const created = services.now();
  const bytes = writeBundleManifest({ subject, bundle, predicateType, created });
  const referrer = {
    ...{ mediaType: mediaTypes.imageManifest, bytes, artifactType: signingTypes.bundle },
    annotations: { [annotation.bundlePredicateType]: predicateType },
  };
  const { digest } = await referrers.add(repository, subject.digest, referrer, context);
  run.say("wrote a bundle", { subject: subject.digest, bundle: digest });
  return digest;
}

/**
 * Removes our replaced bundles, after the new one was written.
 *
 * What cannot be removed is kept, with a warning if `REPLACE` asked for it. It is no error: the new bundle
 * must be recorded, or the next run would write another one.
 *
 * @throws RegistryError `CANCELLED`, `DEADLINE`
 */
export async function removeBundles(
  run: SigningRun,
  subject: Digest,
  bundles: readonly Digest[],
): Promise<void> {
  const { repository, services, context } = run;
  for (const bundle of bundles) {
    try {
      await services.registry.referrers.remove(repository, subject, bundle, context);
      run.say("removed a bundle", { subject, bundle });
    } catch (error) {
      const isOver =
        error instanceof RegistryError && (error.code === "CANCELLED" || error.code === "DEADLINE");
      if (!(error instanceof RegistryError) || isOver) throw error;
      run.say("kept a bundle that cannot be removed", { subject, bundle, reason: error.message });
      if (run.conflict !== "REPLACE") continue;
      services.onWarning?.(
        `The bundle ${bundle} of ${subject} was replaced, but could not be removed and still ` +
          `verifies: ${error.message}`,
      );
    }
  }
}
