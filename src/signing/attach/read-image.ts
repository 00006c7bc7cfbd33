import { formatRepository } from "../oci/reference/repository";
import type { Digest } from "../oci/reference/digest";
import { isIndexType, type Descriptor, readDescriptor } from "../oci/protocol/descriptor";
import type { Manifest } from "../oci/registry/manifests";
import { SigningError } from "./signing-error";
import type { SigningRun } from "./signing-run";

/** An image, with the images of an index. */
interface ImageToSign {
  readonly descriptor: Descriptor;
  /** The images of an index at any depth, each once, the innermost first. */
  readonly children: readonly Digest[];
}

const maxDepth = 4;
const maxImages = 1_000;

/**
 * Reads the manifest of an image and, if requested, of all images of an index, so that only images in the
 * registry are signed.
 *
 * @throws SigningError `IMAGE_MISSING`, `IMAGE_MALFORMED`
 */
export async function readImage(
  run: SigningRun,
  digest: Digest,
  { withChildren }: { readonly withChildren: boolean },
): Promise<ImageToSign> {
  const children = new Set<Digest>();

  async function read(wanted: Digest, within?: string): Promise<Manifest> {
    const { repository, services, context } = run;
    const found = await services.registry.manifests.get(repository, wanted, context);
    if (found !== undefined) return found;
    const place = `${formatRepository(repository)}@${wanted}`;
    const which = within === undefined ? place : `${place}, listed in the index ${within},`;
    const message = `${which} is not in the registry, so it was not signed; push it first`;
    throw new SigningError("IMAGE_MISSING", message);
  }

  async function descend(index: Manifest, depth: number): Promise<void> {
    if (!isIndexType(index.mediaType)) return;
    const place = `the index ${index.digest}`;
    if (depth > maxDepth) {
      throw malformed(`${place} is nested in more than ${maxDepth} others`);
    }
    const entries: unknown = index.json["manifests"];
    for (const entry of Array.isArray(entries) ? entries : []) {
      const descriptor = readDescriptor(entry);
      if (descriptor === undefined)
        throw malformed(`${place} lists an image without a valid digest`);
      if (children.has(descriptor.digest)) continue;
      await descend(await read(descriptor.digest, index.digest), depth + 1);
      children.add(descriptor.digest);
      if (children.size > maxImages) throw malformed(`${place} has more than ${maxImages} images`);
    }
  }

  const image = await read(digest);
  if (withChildren) await descend(image, 1);
  const { mediaType, bytes } = image;
  const descriptor = { mediaType, digest, size: bytes.byteLength };
  return { descriptor, children: [...children] };
}

function malformed(problem: string): SigningError {
  return new SigningError("IMAGE_MALFORMED", `${problem}, so it was not signed`);
}
