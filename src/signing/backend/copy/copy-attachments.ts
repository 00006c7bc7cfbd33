import { tagOfDigest, type AttachmentSuffix, type Digest } from "../../reference/digest";
import { isSameRepository } from "../../reference/repository";
import { readTexts } from "../registry/read-json";
import { copyManifest, type CopyRun } from "./copy-manifest";

const suffixes: readonly AttachmentSuffix[] = [".sig", ".att", ".sbom"];

/**
 * Copies what belongs to an image: the tags `.sig`, `.att` and `.sbom`, and referrers (bundles), which
 * are entered at the fallback tag where the registry keeps no list.
 *
 * A problem of the source's fallback tag is given back; it is nothing that stops a copy.
 */
export async function copyAttachments(
  run: CopyRun,
  subject: Digest,
): Promise<{ readonly referrers: number; readonly problem?: string }> {
  const { client, source, destination, context } = run;
  for (const suffix of suffixes) {
    const tag = tagOfDigest(subject, suffix);
    const manifest = await client.manifests.get(source, tag, context);
    if (manifest !== undefined) await copyManifest(run, manifest, { tag });
  }
  const { found, problem } = await client.referrers.read(source, subject, context);
  if (isSameRepository(source, destination)) return { referrers: 0 };
  for (const { manifest } of found) {
    await copyManifest(run, manifest);
    const { mediaType, bytes, json } = manifest;
    const { artifactType } = json;
    const annotations = readTexts(json["annotations"]);
    const kind = typeof artifactType === "string" ? { artifactType } : {};
    const entry = { mediaType, bytes, ...kind, ...(annotations ? { annotations } : {}) };
    await client.referrers.add(destination, subject, entry, context);
  }
  return { referrers: found.length, ...(problem === undefined ? {} : { problem }) };
}
