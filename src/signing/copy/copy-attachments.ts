import { algorithmOf, tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import { Attachments } from "../image/attachments";
import { artifactTypeOf } from "../oci/protocol/descriptor";
import type { ReadBudget } from "../oci/protocol/read-budget";
import type { Manifest } from "../oci/registry/manifests";
import { isSignatureType } from "../sigstore/format/names";
import { fromSource, isAboutSource } from "./copy-error";
import { copyLayers } from "./copy-layers";
import { copyManifest, type CopyRun, leaveOut } from "./copy-manifest";

/**
 * Copies what is attached to an image: the tags `.sig` and `.att`, whose layers are added to those of the
 * destination, the tag `.sbom`, and the referrers (bundles). If the destination has no referrers API, they
 * are added to the index under the fallback tag.
 *
 * Missing or broken content at the source does not prevent the rest from being copied.
 *
 * @param budget for the manifests of referrers. They are not kept, so only their number counts
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export async function copyAttachments(
  run: CopyRun,
  subject: Digest,
  budget: ReadBudget,
): Promise<void> {
  const { client: registry, source: repository, context } = run;
  const from = formatRepository(repository);
  const attempt = async (what: string, isSignature: boolean, copy: () => Promise<void>) => {
    try {
      await copy();
    } catch (error) {
      if (!isAboutSource(error)) throw error;
      leaveOut(run, what, error, isSignature);
    }
  };
  for (const suffix of [".sig", ".att"] as const) {
    const tag = tagOfDigest(subject, suffix);
    // Something else than signatures, or each layer is noted by itself.
    await attempt(`the tag ${from}:${tag}`, false, () => copyLayers(run, tag));
  }
  const sbom = tagOfDigest(subject, ".sbom");
  await attempt(`the tag ${from}:${sbom}`, false, () => copySbom(run, sbom));
  const attachments = new Attachments({ registry, repository, context }, subject, budget);
  for await (const { descriptor, manifest } of attachments.referrers()) {
    const { digest, artifactType } = descriptor;
    const what = `the referrer ${from}@${digest}`;
    if ("problem" in manifest) {
      leaveOut(run, what, { message: manifest.problem }, isSignatureType(artifactType));
    } else {
      const isSignature = isSignatureType(artifactTypeOf(manifest.json));
      await attempt(what, isSignature, () => copyReferrer(run, subject, manifest));
    }
  }
  const { problem } = await attachments.listed();
  for (const note of [problem, ...attachments.unread]) {
    if (note !== undefined) run.warnings.add(note);
  }
}

/** Tools write one SBOM to the tag, so the destination's is replaced. */
async function copySbom(run: CopyRun, tag: string): Promise<void> {
  const { client, source, destination, context } = run;
  const manifest = await fromSource(() => client.manifests.get(source, tag, context));
  if (manifest === undefined) return;
  const before = await client.manifests.head(destination, tag, context);
  await copyManifest(run, manifest, { tag });
  if (before?.digest === undefined || before.digest === manifest.digest) return;
  run.warnings.add(
    `the tag ${formatRepository(destination)}:${tag} contained another SBOM, which was replaced by that of the source (previous digest: ${before.digest})`,
  );
}

async function copyReferrer(run: CopyRun, subject: Digest, manifest: Manifest): Promise<void> {
  await copyManifest(run, manifest);
  const entry = { ...manifest, algorithm: algorithmOf(manifest.digest) };
  await run.client.referrers.add(run.destination, subject, entry, run.context);
  run.counts.referrers++;
}
