import { attachedLayers, attachedManifest, layerKey } from "../attach/attached-layers";
import { formatRepository } from "../oci/reference/repository";
import { readDescriptor } from "../oci/protocol/descriptor";
import type { JsonObject } from "../oci/protocol/read-json";
import { SigningError } from "../attach/signing-error";
import type { Manifest, NewManifest } from "../oci/registry/manifests";
import { digestOf } from "../oci/reference/digest";
import { ImageError } from "../image/walk-images";
import { fromSource, isAboutSource } from "./copy-error";
import { copyBlobOnce, leaveOut, stepDone, type CopyRun } from "./copy-manifest";
import { inParallel } from "../../http/in-parallel";
import { signingTypes } from "../sigstore/format/names";

/** Why something was not copied. */
type Problem = Parameters<typeof leaveOut>[2];

const layerTypes: readonly unknown[] = [signingTypes.simpleSigning, signingTypes.dsseEnvelope];

/**
 * Copies the layers under a tag such as `sha256-….sig`, each of which is a signature or an attestation, and
 * adds them to those at the destination. What others wrote there is kept, also by concurrent writers.
 *
 * If the destination has nothing else, the tag gets the same digest as at the source.
 *
 * @throws RegistryError, SigningError
 */
export async function copyLayers(run: CopyRun, tag: string): Promise<void> {
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
  layers: readonly JsonObject[],
  tag: string,
): Promise<readonly JsonObject[]> {
  const problems = new Map<JsonObject, Problem>();
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
function sourceLayers(manifest: Manifest, tag: string): readonly JsonObject[] {
  try {
    return attachedLayers(manifest, tag);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    throw new ImageError("IMAGE_MALFORMED", error.message);
  }
}

/** Copies the blob of a descriptor; returns the problem if the source is the reason that it cannot be copied. */
async function copyPart(run: CopyRun, descriptor: unknown): Promise<Problem | undefined> {
  const blob = readDescriptor(descriptor);
  // Then there is nothing to look for.
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
