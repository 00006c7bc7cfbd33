import type { CallContext } from "../../http/call-context";
import { inParallel } from "../../http/in-parallel";
import {
  type ImagePlace,
  readImage,
  walkImages,
  isImageError,
  imageError,
} from "../image/walk-images";
import { type Descriptor, type Digest, digestOf, sha256Hex } from "../oci/reference/descriptor";
import { formatRepository } from "../oci/reference/image-name";
import { descriptorOf } from "../oci/registry/manifests";
import type { SigningServices } from "../provider/services";
import { simpleSigningPayload } from "../sigstore/format/manifest";
import { signPredicateType, signStatement } from "../sigstore/format/statement";
import type { BundlePurpose } from "../sigstore/verification/verify-attached";
import { attachBundles } from "./attach-bundles";
import { attachLayers } from "./attach-layers";
import type { Written } from "./attached-layers";
import { type Intended, type SigningRequest, SigningRun } from "./signing-run";

// Writing is mostly waiting for the network.
const parallel = 4;

/**
 * Signs an image; if the request is recursive, the images of an index before the index itself. Attestations that a builder
 * added to the index are signed, too, as other tools do.
 *
 * Every signature is verified before it is written. An interruption leaves nothing half written; run
 * again, it signs what is not signed yet, unless `conflict` is `APPEND`.
 *
 * @returns all our artifacts that are now in the registry
 * @throws SigningError, ImageError, ServiceError, RegistryError
 */
export async function signImage(
  request: SigningRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const run = new SigningRun(request, "hashedrekord/0.0.1", services, context);
  const dockerReference = formatRepository(run.repository);
  return attachToEach(run, {
    image: request.image.digest,
    isRecursive: request.isRecursive ?? true,
    purpose: "signature",
    parallel,
    about: (digest) => ({
      forLayers: [layerPayload(dockerReference, digest)],
      forBundles: [bundlePayload(digest)],
    }),
  });
}

function layerPayload(dockerReference: string, digest: Digest): Intended {
  const bytes = simpleSigningPayload({ dockerReference, digest });
  return { bytes, type: digestOf(bytes), sha256: sha256Hex(bytes) };
}

// In a bundle, a signature is a statement without a predicate.
function bundlePayload(digest: Digest): Intended {
  const bytes = signStatement(digest);
  return { bytes, type: signPredicateType, sha256: sha256Hex(bytes) };
}

export interface Payloads {
  readonly forLayers: readonly Intended[];
  readonly forBundles: readonly Intended[];
}

interface Order {
  readonly image: Digest;
  readonly isRecursive: boolean;
  readonly purpose: BundlePurpose;
  /** The maximum number of images about which something is written at the same time. */
  readonly parallel: number;
  readonly about: (image: Digest) => Payloads;
}

/**
 * Signs or attests an image; if the order is recursive, each image of an index before the index.
 *
 * @returns all our artifacts that are now in the registry
 * @throws SigningError, ImageError, ServiceError, RegistryError
 */
export async function attachToEach(
  run: SigningRun,
  { image, parallel, about, ...which }: Order,
): Promise<Written> {
  const { repository, context, services, hasBundles } = run;
  const { purpose } = which;
  const place = { registry: services.registry, repository, context };
  const written = await writeEach(
    await readImages(place, image, which),
    parallel,
    async (subject) => {
      const { digest } = subject;
      const { forLayers, forBundles } = about(digest);
      // Bundles come first: if the registry cannot store any, nothing is signed and logged.
      const bundles = hasBundles ? await attachBundles(run, subject, forBundles, purpose) : [];
      return { bundles, layers: await attachLayers(run, digest, forLayers, purpose) };
    },
  );
  return {
    version: 1,
    repository: formatRepository(repository),
    layers: written.flatMap(({ layers }) => layers),
    bundles: written.flatMap(({ bundles }) => bundles),
  };
}

/**
 * Writes about each image, several at a time, and about the last one at the end: an index that is signed as a whole has
 * signed images. After a failure no further image is begun, and the next run continues.
 */
async function writeEach<T>(
  images: readonly Descriptor[],
  parallel: number,
  write: (subject: Descriptor) => Promise<T>,
): Promise<readonly T[]> {
  const written: T[] = [];
  const writeAt = async ([place, image]: readonly [number, Descriptor]) => {
    written[place] = await write(image);
  };
  await inParallel(parallel, images.slice(0, -1).entries(), writeAt);
  for (const last of [...images.entries()].slice(-1)) await writeAt(last);
  return written;
}

/**
 * Reads the manifests of the images of an index at any depth, each once, and the image itself, which comes last. What a
 * builder attached to the images is signed, as other tools do, but not attested.
 *
 * @throws ImageError, RegistryError
 */
async function readImages(
  place: ImagePlace,
  digest: Digest,
  { isRecursive, purpose }: Pick<Order, "isRecursive" | "purpose">,
): Promise<readonly Descriptor[]> {
  const image = await readImage(place, digest).catch(withAdvice("push it first"));
  const images: Descriptor[] = [];
  const advice = withAdvice("push it first, or set recursive to false");
  for await (const each of isRecursive ? walkImages(place, image) : []) {
    const { manifest, problems, isAboutImage } = each;
    for (const problem of problems) advice(problem);
    if (manifest === undefined || manifest === image) continue;
    if (purpose === "signature" || !isAboutImage) images.push(descriptorOf(manifest));
  }
  return [...images, descriptorOf(image)];
}

const withAdvice =
  (advice: string) =>
  (error: unknown): never => {
    if (!isImageError(error) || error.code !== "IMAGE_MISSING") throw error;
    throw imageError(error.code, `${error.message}; ${advice}`, { cause: error });
  };
