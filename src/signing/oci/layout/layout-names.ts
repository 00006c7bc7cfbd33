import { isAboutContent, RegistryError } from "../protocol/registry-error";
import type { Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import type { Manifest } from "../registry/manifests";

/** An image that `index.json` lists, perhaps under several names. */
export interface ListedImage {
  readonly digest: Digest;
  readonly names: readonly string[];
}

/** Checks for the tag of what is attached to an image, perhaps with the prefix of a policy. */
export function isAttachedTag(tag: unknown): boolean {
  return typeof tag === "string" && /sha(?:256|512)-[0-9a-f]{64}/.test(tag);
}

// More than a message lists, and than anyone keeps without names.
const maxExamined = 100;
const maxListed = 8;

/** The images without the manifests that only refer to one. What has a name is there for its own sake. */
export async function onlyImages(
  images: readonly ListedImage[],
  read: (digest: Digest) => Promise<Manifest | undefined>,
): Promise<readonly ListedImage[]> {
  const found: ListedImage[] = [];
  for (const [at, image] of images.entries()) {
    const isExamined = image.names.length === 0 && at < maxExamined;
    const manifest = isExamined ? await read(image.digest).catch(ifBroken) : undefined;
    if (manifest?.json["subject"] === undefined) found.push(image);
  }
  return found;
}

/** What is broken is listed, so that it is named. */
function ifBroken(error: unknown): undefined {
  if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
}

/** The error for a name that is not in a layout, with those that are. */
export function missingName(
  repository: Repository,
  name: string,
  images: readonly ListedImage[],
): RegistryError {
  const listed = images
    .slice(0, maxListed)
    .map(({ digest, names }) => [names.map((each) => each.slice(0, 100)).join(" or "), digest])
    .map(([names, digest]) => (names === "" ? `@${digest}` : `${names} (@${digest})`));
  const rest = images.length - listed.length;
  const label = formatRepository(repository);
  const problem =
    name === ""
      ? `the layout ${label} has ${images.length} images, and the reference names none`
      : `the image ${label}:${name} is not in the layout`;
  return new RegistryError({
    code: "IMAGE_MISSING",
    message: `${problem}; name one of ${listed.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`,
  });
}
