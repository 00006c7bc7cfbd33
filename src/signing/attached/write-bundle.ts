import type { Digest } from "../oci/reference/digest";
import { annotation } from "../sigstore/format/annotation";
import { emptyConfig, writeBundleManifest } from "../sigstore/format/bundle-manifest";
import { signingTypes } from "../sigstore/format/signing-types";
import { mediaTypes, type Descriptor } from "../oci/protocol/descriptor";
import { RegistryError, type RegistryErrorCode } from "../oci/protocol/registry-error";
import { SigningError } from "../run/signing-error";
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
 * If the registry does not delete, `REPLACE` fails. `SKIPSAME` continues: one bundle of ours is enough.
 *
 * @throws SigningError `CANNOT_REMOVE`
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
      if (!(error instanceof RegistryError) || !refusals.has(error.code)) throw error;
      const problem = `the registry does not delete the bundle ${bundle} of ${subject}`;
      if (run.conflict !== "REPLACE") {
        run.say(`${problem}, so it is kept`, { reason: error.message });
        continue;
      }
      const message =
        `the new bundle was written, but ${problem}, which it replaces; allow the registry to ` +
        `delete manifests, or use SKIPSAME or APPEND: ${error.message}`;
      throw new SigningError("CANNOT_REMOVE", message, error);
    }
  }
}

const refusals: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "UNSUPPORTED",
  "DENIED",
  "UNAUTHORIZED",
  "REFUSED",
]);
