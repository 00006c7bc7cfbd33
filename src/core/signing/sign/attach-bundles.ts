import { isEnd } from "../../failure/failure";
import { type AttachedItem, Attachments } from "../image/attachments";
import { type Descriptor, type Digest, mediaTypes } from "../oci/reference/descriptor";
import { RegistryError } from "../oci/registry/registry-error";
import { writeBundle } from "../sigstore/format/bundle";
import { rekorV2Kind } from "../sigstore/format/log-entry";
import {
  annotation,
  emptyConfig,
  signingTypes,
  writeBundleManifest,
} from "../sigstore/format/manifest";
import { inTotoPayloadType } from "../sigstore/format/statement";
import { type BundlePurpose, verifyBundle } from "../sigstore/verification/verify-attached";
import type { WrittenBundle } from "./attached-layers";
import { expectVerified, type LogTarget, signAndLog } from "./sign-and-log";
import { bundleSigner, type SignatureRun } from "./signature-run";
import {
  decide,
  type Decision,
  type Existing,
  type Intended,
  type SigningRun,
} from "./signing-run";

/** A bundle in the registry, by the digest of its manifest. */
type ExistingBundle = AttachedItem & { readonly digest: Digest };

/**
 * Signs statements as bundles that refer to the image, unless one of our bundles can stay.
 *
 * @returns our bundles
 */
export async function attachBundles(
  run: SigningRun,
  subject: Descriptor,
  statements: readonly Intended[],
  purpose: BundlePurpose,
): Promise<readonly WrittenBundle[]> {
  const image = subject.digest;
  const { repository, services, context } = run;

  // Read.
  const attachments = new Attachments({ ...services, repository, context }, image);
  const recorded = run.recordedBundles(image);
  const found = await findBundles(run, attachments, recorded);
  const listed = found.map((item) => ({ item, isRecorded: recorded.has(item.digest) }));
  const ours = new Set(found.map(({ digest }) => digest).filter((digest) => recorded.has(digest)));

  for (const { bytes, type, ...rest } of statements) {
    // Decide.
    const existing = await run.existing(attachments, purpose, listed, { bytes, type, ...rest });
    const { keep, remove } = await decideWhereKept(run, image, existing);
    if (keep === undefined || remove.length > 0) run.begin();
    if (keep === undefined) {
      // Sign, and write.
      const bundle = await makeBundle(run, image, bytes, purpose);
      ours.add(await writeBundleReferrer(run, subject, bundle, type));
    } else {
      run.say("the bundle exists already", { image, predicateType: type });
      ours.add(keep.digest);
    }
    for (const { digest } of remove) {
      await removeBundle(run, image, digest);
      ours.delete(digest);
    }
  }
  return [...ours].map((digest) => ({ subject: image, digest }));
}

/** The bundles that refer to an image, without their content. Those in our record are read first. */
async function findBundles(
  { services }: SigningRun,
  attachments: Attachments,
  recorded: ReadonlySet<Digest>,
): Promise<readonly ExistingBundle[]> {
  const { refusal, problem } = await attachments.listed();
  // Nothing can be written then, so nothing must be signed and logged either.
  if (refusal !== undefined) throw refusal;
  const found = await attachments.bundles(recorded);
  for (const note of [problem, ...attachments.unread]) {
    if (note !== undefined) services.onProgress?.(note, { image: attachments.image });
  }
  return found.filter((each): each is ExistingBundle => each.digest !== undefined);
}

/**
 * Decides whether to write a bundle. Many registries do not delete manifests. There, `REPLACE` would add a
 * bundle each time, so it keeps a bundle with the same content, as `SKIPSAME` does.
 */
async function decideWhereKept(
  { repository, services, context, conflict }: SigningRun,
  image: Digest,
  existing: readonly Existing<ExistingBundle>[],
): Promise<Decision<ExistingBundle>> {
  const decision = decide(conflict, "bundle", existing);
  if (conflict !== "REPLACE" || decision.remove.length === 0) return decision;
  if (await services.registry.referrers.canRemove(repository, image, context)) return decision;
  const { keep, remove } = decide("SKIPSAME", "bundle", existing);
  const old = remove.map(({ digest }) => digest).join(", ");
  const reason = `The registry ${repository.registry} does not delete manifests`;
  const stays = `The earlier bundles ${old} of ${image} are kept and still verify.`;
  services.onWarning?.(
    keep === undefined
      ? `${reason}. ${stays}`
      : `${reason}. The bundle ${keep.digest} of ${image} is kept, and no new one is added.` +
          (old === "" ? "" : ` ${stays}`),
  );
  return { keep, remove: [] };
}

/** Signs a statement about an image or a file, logs the signature, and returns the verified bundle. */
export async function makeBundle(
  run: SignatureRun,
  subject: Digest,
  statement: Buffer,
  purpose: BundlePurpose,
): Promise<Buffer> {
  const { logs, timestampUrls } = run.bundleServices;
  const targets = logs.map(({ url, version }): LogTarget => {
    return { url, kind: version === 1 ? "dsse/0.0.1" : rekorV2Kind };
  });
  const made = await signAndLog(run, {
    payload: statement,
    form: "bundle",
    logs: targets,
    timestampUrls,
  });
  const { signer, signature, logEntries, timestamps } = made;
  const bundle = writeBundle({
    envelope: { payloadType: inTotoPayloadType, payload: statement, signature },
    signer: bundleSigner(signer),
    logEntries,
    timestamps,
  });
  await expectVerified(run, made, (rules) => verifyBundle(bundle, subject, purpose, rules));
  return bundle;
}

/** Writes a verified bundle: its content, then the manifest that refers to the image. */
async function writeBundleReferrer(
  run: SigningRun,
  subject: Descriptor,
  bundle: Buffer,
  predicateType: string,
): Promise<Digest> {
  const { repository, services, context } = run;
  const { uploads, referrers } = services.registry;
  await uploads.put(repository, bundle, context);
  await uploads.put(repository, emptyConfig, context);
  const created = services.now();
  const bytes = writeBundleManifest({ subject, bundle, predicateType, created });
  const referrer = {
    mediaType: mediaTypes.imageManifest,
    bytes,
    artifactType: signingTypes.bundle,
    annotations: { [annotation.bundlePredicateType]: predicateType },
  };
  const { digest } = await referrers.add(repository, subject.digest, referrer, context);
  run.say("wrote a bundle", { subject: subject.digest, bundle: digest });
  return digest;
}

/**
 * Removes one of our bundles, after the one that replaces it was written.
 *
 * A bundle that cannot be removed is kept, with a warning if `REPLACE` asked for its removal. It is no error: the new
 * bundle must be recorded, or the next run would write another one.
 *
 * @throws RegistryError `CANCELLED`, `DEADLINE`
 */
async function removeBundle(run: SigningRun, subject: Digest, bundle: Digest): Promise<void> {
  const { repository, services, context } = run;
  try {
    await services.registry.referrers.remove(repository, subject, bundle, context);
    run.say("removed a bundle", { subject, bundle });
  } catch (error) {
    if (!(error instanceof RegistryError) || isEnd(error)) throw error;
    run.say("kept a bundle that cannot be removed", { subject, bundle, reason: error.message });
    if (run.conflict !== "REPLACE") return;
    services.onWarning?.(
      `The bundle ${bundle} of ${subject} was replaced, but still verifies, because it could not be removed: ` +
        error.message,
    );
  }
}
