import {
  algorithmOf,
  tagOfDigest,
  type AttachmentSuffix,
  type Digest,
} from "../oci/reference/digest";
import { formatRepository, isSameRepository } from "../oci/reference/repository";
import type { Manifest } from "../oci/registry/manifests";
import { readDescriptors } from "../oci/protocol/read-descriptor";
import { readStrings } from "../oci/protocol/read-json";
import { copyManifest, type CopyRun } from "./copy-manifest";

const suffixes: readonly AttachmentSuffix[] = [".sig", ".att", ".sbom"];

/**
 * Copies what is attached to an image: the tags `.sig`, `.att` and `.sbom`, and the referrers (bundles). If
 * the destination has no referrers API, they are added to the index under the fallback tag.
 *
 * @returns the number of referrers, and warnings for the user, which do not stop the copy
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export async function copyAttachments(
  run: CopyRun,
  subject: Digest,
): Promise<{ readonly referrers: number; readonly warnings: readonly string[] }> {
  const { client, source, destination, context } = run;
  const warnings: string[] = [];
  for (const suffix of suffixes) {
    const tag = tagOfDigest(subject, suffix);
    const manifest = await client.manifests.get(source, tag, context);
    if (manifest === undefined) continue;
    const before = await client.manifests.get(destination, tag, context);
    await copyManifest(run, manifest, { tag });
    if (before !== undefined && losesLayers(before, manifest)) {
      warnings.push(
        `the tag ${formatRepository(destination)}:${tag} contained signatures or attestations that the source does not have; they were replaced by those of the source (previous digest: ${before.digest})`,
      );
    }
  }
  if (isSameRepository(source, destination)) return { referrers: 0, warnings };
  const { found, problem } = await client.referrers.read(source, subject, context);
  if (problem !== undefined) warnings.push(problem);
  for (const { manifest } of found) {
    await copyManifest(run, manifest);
    const { mediaType, bytes, json, digest } = manifest;
    const { artifactType } = json;
    const annotations = readStrings(json["annotations"]);
    const kind = typeof artifactType === "string" ? { artifactType } : {};
    const entry = {
      ...{ mediaType, bytes, algorithm: algorithmOf(digest) },
      ...kind,
      ...(annotations ? { annotations } : {}),
    };
    await client.referrers.add(destination, subject, entry, context);
  }
  return { referrers: found.length, warnings };
}

/** Whether a layer of the old manifest, compared by content and annotations, is missing from the new one. */
function losesLayers(before: Manifest, after: Manifest): boolean {
  const kept = new Set(layersOf(after));
  return layersOf(before).some((layer) => !kept.has(layer));
}

function layersOf({ json }: Manifest): readonly string[] {
  return readDescriptors(json["layers"]).map(({ digest, annotations = {} }) =>
    JSON.stringify([digest, Object.entries(annotations).sort()]),
  );
}
