import {
  ImageError,
  type ImagePlace,
  readImage,
  type WalkedImage,
  walkImages,
} from "../image/walk-images";
import type { Descriptor } from "../oci/protocol/descriptor";
import type { Digest } from "../oci/reference/digest";
import type { Manifest } from "../oci/registry/manifests";

/** An image to sign or attest, with the images of an index. */
export interface ImageTree {
  readonly image: Descriptor;
  /** The images of an index at any depth, each once, those of an index before the index. */
  readonly children: readonly ChildImage[];
}

type ChildImage = Pick<WalkedImage, "platform" | "isAboutImage"> & {
  readonly descriptor: Descriptor;
};

/**
 * Reads the manifest of an image and, if `isRecursive`, of all images of an index at any depth.
 *
 * @throws ImageError, RegistryError
 */
export async function readImages(
  place: ImagePlace,
  digest: Digest,
  { isRecursive }: { readonly isRecursive: boolean },
): Promise<ImageTree> {
  const image = await readImage(place, digest).catch(withAdvice("push it first"));
  const children: ChildImage[] = [];
  const advice = withAdvice("push it first, or set recursive to false");
  for await (const { manifest, problems, ...child } of isRecursive
    ? walkImages(place, image)
    : []) {
    for (const problem of problems) advice(problem);
    if (manifest === undefined || manifest === image) continue;
    children.push({ ...child, descriptor: descriptorOf(manifest) });
  }
  return { image: descriptorOf(image), children };
}

function descriptorOf({ mediaType, digest, bytes }: Manifest): Descriptor {
  return { mediaType, digest, size: bytes.byteLength };
}

const withAdvice =
  (advice: string) =>
  (error: unknown): never => {
    if (!(error instanceof ImageError) || error.code !== "IMAGE_MISSING") throw error;
    throw new ImageError(error.code, `${error.message}; ${advice}`, error);
  };
