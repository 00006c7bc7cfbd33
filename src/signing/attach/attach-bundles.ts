import { type AttachedItem, Attachments } from "../image/attachments";
import { type Descriptor, mediaTypes } from "../oci/protocol/descriptor";
import { RegistryError } from "../oci/protocol/registry-error";
import type { Digest } from "../oci/reference/digest";
import { writeBundle } from "../sigstore/format/bundle";
import { rekorV2Kind } from "../sigstore/format/log-entry";
import { emptyConfig, writeBundleManifest } from "../sigstore/format/manifest";
import { annotation, signingTypes } from "../sigstore/format/names";
import { type BundlePurpose, verifyBundle } from "../sigstore/verification/verify-bundle";
import { type AttestationItem, type BundlePlan, type Existing, planBundle } from "./conflict";
import { existingAttestations, type IntendedStatement } from "./existing";
import { bundleSigner } from "./run-signer";
import { expectVerified, type LogTarget, signAndLog } from "./sign-and-log";
import type { SignatureRun, SigningRun, WrittenBundle } from "./signing-run";
import { inTotoPayloadType } from "../sigstore/format/dsse";

/** A statement about an image, ready to be signed. */
export interface PreparedStatement extends IntendedStatement {
  readonly bytes: Buffer;
}

/**
 * Signs statements as bundles that refer to the image, except those for which we have a bundle that can stay.
 *
 * @returns our bundles
 */
export async function attachBundles(
  run: SigningRun,
  subject: Descriptor,
  statements: readonly PreparedStatement[],
  purpose: BundlePurpose,
): Promise<readonly WrittenBundle[]> {
  const image = subject.digest;
  const recorded = new Set(
    run.previous.bundles.filter((before) => before.subject === image).map(({ digest }) => digest),
  );
  const found = await findBundles(run, image, recorded);
  const ours = new Set(found.map(({ digest }) => digest).filter((digest) => recorded.has(digest)));
  const listed = found.map((item) => ({ item, isRecorded: recorded.has(item.digest) }));
  for (const statement of statements) {
    const existing = await existingAttestations(run, image, listed, statement, purpose);
    const { same, remove } = await planReplacement(run, image, existing, statement);
    const { bytes, predicateType } = statement;
    if (same === undefined) {
      const bundle = await makeBundle(run, image, bytes, purpose);
      ours.add(await writeBundleReferrer(run, { subject, bundle, predicateType }));
    } else {
      run.say("the bundle exists already", { image, predicateType });
      ours.add(same.digest);
    }
    for (const { digest } of remove) {
      await removeBundle(run, image, digest);
      ours.delete(digest);
    }
  }
  return [...ours].map((digest) => ({ subject: image, digest }));
}

/** A bundle in the registry, by the digest of its manifest. */
type ExistingBundle = AttachedItem & { readonly digest: Digest };

type FoundBundle = Pick<ExistingBundle, "digest"> & AttestationItem;

/** The bundles that refer to an image, without their content. Those in our record are read first. */
async function findBundles(
  { repository, services, context }: SigningRun,
  image: Digest,
  recorded: ReadonlySet<Digest>,
): Promise<readonly ExistingBundle[]> {
  const { registry, onProgress } = services;
  const attachments = new Attachments({ registry, repository, context }, image);
  const { refusal, problem } = await attachments.listed();
  // Nothing can be written then, so nothing must be signed and logged either.
  if (refusal !== undefined) throw refusal;
  const found = await attachments.bundles(recorded);
  for (const note of [problem, ...attachments.unread]) {
    if (note !== undefined) onProgress?.(note, { image });
  }
  return found.filter((each): each is ExistingBundle => each.digest !== undefined);
}

/**
 * Decides whether to write a bundle. Many registries do not delete manifests. There, `REPLACE` would add a
 * bundle each time, so it keeps a bundle that says the same, as `SKIPSAME` does.
 */
async function planReplacement(
  run: SigningRun,
  image: Digest,
  existing: readonly Existing<FoundBundle>[],
  statement: PreparedStatement,
): Promise<BundlePlan<FoundBundle>> {
  const { repository, services, context, conflict } = run;
  const plan = planBundle(conflict, existing, statement);
  if (conflict !== "REPLACE" || plan.remove.length === 0) return plan;
  if (await services.registry.referrers.canRemove(repository, image, context)) return plan;
  const { same, remove } = planBundle("SKIPSAME", existing, statement);
  const old = remove.map(({ digest }) => digest).join(", ");
  const reason = `The registry ${repository.registry} does not delete manifests`;
  const stays = `${old} of ${image} cannot be replaced and still verify`;
  services.onWarning?.(
    same === undefined
      ? `${reason}: the bundles ${stays}, beside the new one.`
      : `${reason}: the bundle ${same.digest} of ${image} is kept, and no other one is added.` +
          (old === "" ? "" : ` The bundles ${stays}.`),
  );
  return { same, remove: [] };
}

/** Signs a statement about an image or a file, logs the signature, and returns the verified bundle. */
export async function makeBundle(
  run: SignatureRun,
  subject: Digest,
  statement: Buffer,
  purpose: BundlePurpose,
): Promise<Buffer> {
  const { logs, timestampUrls } = await run.bundleServices();
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

/** A verified bundle to write. */
interface BundleToWrite {
  readonly subject: Descriptor;
  readonly bundle: Buffer;
  readonly predicateType: string;
}

/** Writes a verified bundle: its content, then the manifest that refers to the image. */
async function writeBundleReferrer(
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
 * Removes a bundle of ours, after the one that replaces it was written.
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
    if (!(error instanceof RegistryError)) throw error;
    if (error.code === "CANCELLED" || error.code === "DEADLINE") throw error;
    run.say("kept a bundle that cannot be removed", { subject, bundle, reason: error.message });
    if (run.conflict !== "REPLACE") return;
    services.onWarning?.(
      `The bundle ${bundle} of ${subject} was replaced, but could not be removed and still ` +
        `verifies: ${error.message}`,
    );
  }
}
