import { algorithmOf, tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository, isSameRepository } from "../oci/reference/repository";
import { Attachments } from "../image/attachments";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { Manifest } from "../oci/registry/manifests";
import { fromSource, isAboutSource } from "./copy-error";
import { copyLayers } from "./copy-layers";
import { copyManifest, type CopyRun } from "./copy-manifest";

interface CopiedAttachments {
  readonly referrers: number;
  /** Warnings for the user about content that could not be copied. It does not stop the copy. */
  readonly warnings: readonly string[];
}

/**
 * Copies what is attached to an image: the tags `.sig` and `.att`, whose layers are added to those of the
 * destination, the tag `.sbom`, and the referrers (bundles). If the destination has no referrers API, they
 * are added to the index under the fallback tag.
 *
 * Missing or broken content at the source does not prevent the rest from being copied.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export async function copyAttachments(run: CopyRun, subject: Digest): Promise<CopiedAttachments> {
  const { client, source, destination, context } = run;
  if (isSameRepository(source, destination)) return { referrers: 0, warnings: [] };
  const warnings: string[] = [];
  const attempt = async (what: string, copy: () => Promise<readonly string[]>) => {
    try {
      warnings.push(...(await copy()));
      return true;
    } catch (error) {
      if (!isAboutSource(error)) throw error;
      warnings.push(`${what} was not copied: ${error.message}`);
      return false;
    }
  };
  for (const suffix of [".sig", ".att"] as const) {
    const tag = tagOfDigest(subject, suffix);
    await attempt(placeOf(run, tag), () => copyLayers(run, tag));
  }
  const sbom = tagOfDigest(subject, ".sbom");
  await attempt(placeOf(run, sbom), () => copySbom(run, sbom));

  let referrers = 0;
  const place = { registry: client, repository: source, context };
  // Manifests are not kept, so their number is the only limit.
  const attachments = new Attachments(place, subject, new ReadBudget(Infinity));
  for await (const { descriptor, manifest } of attachments.referrers()) {
    const what = `the referrer ${formatRepository(source)}@${descriptor.digest}`;
    if ("problem" in manifest) warnings.push(`${what} was not copied: ${manifest.problem}`);
    else if (await attempt(what, () => copyReferrer(run, subject, manifest))) referrers++;
  }
  const { problem } = await attachments.listed();
  for (const note of [problem, ...attachments.unread]) if (note !== undefined) warnings.push(note);
  return { referrers, warnings };
}

function placeOf({ source }: CopyRun, tag: string): string {
  return `the tag ${formatRepository(source)}:${tag}`;
}

/** Tools write one SBOM to the tag, so the destination's is replaced. */
async function copySbom(run: CopyRun, tag: string): Promise<readonly string[]> {
  const { client, source, destination, context } = run;
  const manifest = await fromSource(() => client.manifests.get(source, tag, context));
  if (manifest === undefined) return [];
  const before = await client.manifests.head(destination, tag, context);
  await copyManifest(run, manifest, { tag });
  if (before?.digest === undefined || before.digest === manifest.digest) return [];
  return [
    `the tag ${formatRepository(destination)}:${tag} contained another SBOM, which was replaced by that of the source (previous digest: ${before.digest})`,
  ];
}

async function copyReferrer(
  run: CopyRun,
  subject: Digest,
  manifest: Manifest,
): Promise<readonly string[]> {
  await copyManifest(run, manifest);
  const entry = { ...manifest, algorithm: algorithmOf(manifest.digest) };
  await run.client.referrers.add(run.destination, subject, entry, run.context);
  return [];
}
