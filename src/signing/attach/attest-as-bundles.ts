import { type BundlePlan, type Existing, type IntendedStatement, planBundle } from "./conflict";
import { bundleCandidates, bundleReferrers, type FoundBundle } from "./find-bundles";
import { determineOwnership } from "./ownership";
import type { WrittenBundle } from "./written";
import type { Digest } from "../oci/reference/digest";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { Descriptor } from "../oci/protocol/descriptor";
import type { BundlePurpose } from "../sigstore/verification/verify-bundle";
import { makeBundle } from "./make-bundle";
import type { SigningRun } from "./signing-run";
import { removeBundles, writeBundleReferrer } from "./write-attached";

/** A statement about an image, ready to be signed. */
export interface PreparedStatement extends IntendedStatement {
  readonly bytes: Buffer;
}

/**
 * Signs statements as bundles that refer to the image, except those for which we have a bundle that can stay.
 *
 * @returns our bundles
 */
export async function attestAsBundles(
  run: SigningRun,
  subject: Descriptor,
  statements: readonly PreparedStatement[],
  purpose: BundlePurpose,
): Promise<readonly WrittenBundle[]> {
  const image = subject.digest;
  const budget = new ReadBudget();
  const referrers = await bundleReferrers(run, image, budget);
  const there = new Set(referrers.map(({ digest }) => digest));
  const ours = new Set<Digest>(
    run.previous.bundles
      .filter((before) => before.subject === image && there.has(before.digest))
      .map(({ digest }) => digest),
  );
  for (const statement of statements) {
    const candidates =
      run.conflict === "APPEND"
        ? []
        : await bundleCandidates(run, image, referrers, statement, purpose, budget);
    const existing = await determineOwnership(run, candidates);
    const { same, remove } = await planReplacement(run, image, existing, statement);
    const { bytes, predicateType } = statement;
    if (same === undefined) {
      const bundle = await makeBundle(run, image, bytes, purpose);
      ours.add(await writeBundleReferrer(run, { subject, bundle, predicateType }));
    } else {
      run.say("the bundle exists already", { image, predicateType });
      ours.add(same.digest);
    }
    const replaced = remove.map(({ digest }) => digest);
    await removeBundles(run, image, replaced);
    for (const digest of replaced) ours.delete(digest);
  }
  return [...ours].map((digest) => ({ subject: image, digest }));
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
