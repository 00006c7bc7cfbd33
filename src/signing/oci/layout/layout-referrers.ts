import type { Descriptor } from "../protocol/descriptor";
import { describeReferrer, readDescriptor, readDescriptors } from "../protocol/descriptor";
import { tagOfDigest, type Digest } from "../reference/digest";
import type { Manifest } from "../registry/manifests";
import type { LayoutIndex } from "./layout-index";

/** A manifest that refers to another one. */
interface Referring {
  readonly subject: Digest;
  readonly descriptor: Descriptor;
}

/** More manifests than any layout has. Each of them is read once. */
const maxManifests = 50_000;

/** Finds the referrers in a layout: manifests that `index.json` lists, or the list for registries without referrers. */
export class LayoutReferrers {
  /** Content never changes under its digest. */
  readonly #known = new Map<Digest, Referring | undefined>();

  /** @param read reads a manifest; undefined if it is missing or broken */
  async list(
    index: LayoutIndex,
    subject: Digest,
    read: (digest: Digest) => Promise<Manifest | undefined>,
  ): Promise<{ readonly referrers: readonly Descriptor[]; readonly hasMore?: boolean }> {
    const listed = readDescriptors(index.entries);
    const fallback = index.tagged(tagOfDigest(subject));
    const list = fallback && (await read(fallback.digest));
    const more = readDescriptors(list?.json["manifests"]);
    const candidates = [...listed, ...more].slice(0, maxManifests);
    const found = new Map<Digest, Descriptor>();
    for (const { digest } of candidates) {
      if (!this.#known.has(digest)) {
        const manifest = await read(digest);
        if (manifest === undefined) continue;
        this.#known.set(digest, referringOf(manifest));
      }
      const referring = this.#known.get(digest);
      if (referring?.subject === subject) found.set(digest, referring.descriptor);
    }
    const referrers = [...found.values()];
    return candidates.length === maxManifests ? { referrers, hasMore: true } : { referrers };
  }
}

function referringOf({ json, mediaType, digest, bytes }: Manifest): Referring | undefined {
  const subject = readDescriptor(json["subject"])?.digest;
  if (subject === undefined) return undefined;
  const descriptor = { mediaType, digest, size: bytes.byteLength };
  return { subject, descriptor: describeReferrer(json, descriptor) };
}
