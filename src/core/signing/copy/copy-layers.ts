import {
  algorithmOf,
  type Digest,
  digestOf,
  tagOfDigest,
  artifactTypeOf,
  readDescriptor,
} from "../oci/reference/descriptor";
import { formatRepository } from "../oci/reference/image-name";
import { Attachments } from "../image/attachments";
import type { ReadBudget, Manifest, NewManifest } from "../oci/registry/manifests";
import { isSignatureType, signingTypes } from "../sigstore/format/manifest";
import {
  copyBlobOnce,
  copyManifest,
  type CopyRun,
  fromSource,
  isAboutSource,
  leaveOut,
  stepDone,
} from "./copy-manifest";
import { isSigningError } from "../sign/signing-error";
import { imageError } from "../image/walk-images";
import { inParallel } from "../../http/in-parallel";
import { attachedLayers, attachedManifest, layerKey } from "../sign/attached-layers";
import type { Properties } from "../../json/plain-json";

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
    // The tag contains something other than signatures; problems of layers are noted for each layer.
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

type Problem = Parameters<typeof leaveOut>[2];

const layerTypes: readonly unknown[] = [signingTypes.simpleSigning, signingTypes.dsseEnvelope];

/**
 * Copies the layers under a tag such as `sha256-….sig`, each of which is a signature or an attestation, and
 * adds them to those at the destination. What others write there, even at the same time, is kept.
 *
 * If the destination has nothing else, the tag gets the same digest as at the source.
 *
 * @throws RegistryError, SigningError
 */
async function copyLayers(run: CopyRun, tag: string): Promise<void> {
  const { client, source, destination, context } = run;
  const manifest = await fromSource(() => client.manifests.get(source, tag, context));
  if (manifest === undefined) return;
  const layers = sourceLayers(manifest, tag);
  const copied = await copyContents(run, layers, tag);
  if (copied.length === 0) return;

  const keys = new Set(copied.map(layerKey));
  let written: NewManifest = manifest;
  const isApplied = (current: Manifest | undefined) => {
    const there = new Set(attachedLayers(current, tag).map(layerKey));
    return [...keys].every((key) => there.has(key));
  };
  // Without its configuration, the manifest cannot be written unchanged.
  const isWhole =
    copied.length === layers.length && (await copyPart(run, manifest.json["config"])) === undefined;
  const merge = async (current: Manifest | undefined) => {
    const own = attachedLayers(current, tag);
    if (isApplied(current)) return undefined;
    if (isWhole && own.every((layer) => keys.has(layerKey(layer)))) return (written = manifest);
    const there = new Set(own.map(layerKey));
    const added = copied.filter((layer) => !there.has(layerKey(layer)));
    const made = attachedManifest([...own, ...added], current, tag);
    await client.uploads.put(destination, made.config, context);
    return (written = made.manifest);
  };
  const { wrote } = await client.updateTag(destination, tag, { merge, isApplied }, context);
  stepDone(run, {
    kind: "manifest",
    digest: digestOf(written.bytes),
    size: written.bytes.byteLength,
    tag,
    how: wrote ? "sent" : "present",
  });
}

/** Copies the content of the layers; those whose content is missing or broken are left out. */
async function copyContents(
  run: CopyRun,
  layers: readonly Properties[],
  tag: string,
): Promise<readonly Properties[]> {
  const problems = new Map<Properties, Problem>();
  await inParallel(run.parallelBlobs, layers, async (layer) => {
    const problem = await copyPart(run, layer);
    if (problem !== undefined) problems.set(layer, problem);
  });
  const place = `a layer of the tag ${formatRepository(run.source)}:${tag}`;
  for (const [{ mediaType }, problem] of problems) {
    leaveOut(run, place, problem, layerTypes.includes(mediaType));
  }
  return layers.filter((layer) => !problems.has(layer));
}

/** @throws ImageError if the source has something else under the tag */
function sourceLayers(manifest: Manifest, tag: string): readonly Properties[] {
  try {
    return attachedLayers(manifest, tag);
  } catch (error) {
    if (!isSigningError(error)) throw error;
    throw imageError("IMAGE_MALFORMED", error.message);
  }
}

/** Copies the blob of a descriptor; returns the problem if it cannot be copied because of the source. */
async function copyPart(run: CopyRun, descriptor: unknown): Promise<Problem | undefined> {
  const blob = readDescriptor(descriptor);
  if (blob === undefined) {
    return { message: "it has no media type, sha256 digest or size", code: "NOT_FOUND" };
  }
  try {
    await copyBlobOnce(run, blob);
    return undefined;
  } catch (error) {
    if (isAboutSource(error)) return error;
    throw error;
  }
}
