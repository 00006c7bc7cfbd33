import { RegistryFailure } from "./registry-failure";

/** The digest algorithms that this registry supports. */
export type DigestAlgorithm = "sha256" | "sha512";

/** A valid digest. */
export type Digest = `${DigestAlgorithm}:${string}`;

const digestForm = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const part = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const repositoryForm = new RegExp(`^(?=.{1,255}$)${part}(?:/${part})*$`);

/** Whether a string is a valid digest. */
export function isDigest(text: string): text is Digest {
  return digestForm.test(text);
}

/**
 * Returns a valid digest.
 *
 * @throws RegistryFailure
 */
export function checkDigest(text: string): Digest {
  if (isDigest(text)) return text;
  throw new RegistryFailure(
    "DIGEST_INVALID",
    "a digest must be sha256: and 64, or sha512: and 128 lowercase hexadecimal digits",
  );
}

/**
 * Returns a valid repository name.
 *
 * @throws RegistryFailure
 */
export function checkRepository(text: string): string {
  if (repositoryForm.test(text)) return text;
  throw new RegistryFailure("NAME_INVALID", "this is not the name of a repository");
}

/** The digest or tag of a manifest. */
export type ManifestReference = { readonly digest: Digest } | { readonly tag: string };

/**
 * Parses a digest or tag under which a manifest is to be stored.
 *
 * @throws RegistryFailure
 */
export function checkReference(text: string): ManifestReference {
  return text.includes(":") ? { digest: checkDigest(text) } : { tag: checkTag(text) };
}

/**
 * Returns a valid tag.
 *
 * @throws RegistryFailure
 */
export function checkTag(text: string): string {
  if (tagForm.test(text)) return text;
  throw new RegistryFailure("MANIFEST_INVALID", "this is neither a tag nor a digest");
}

/**
 * Parses a digest or tag to look up; undefined for a name that no tag can have, so that it is not found.
 *
 * @throws RegistryFailure if it is an invalid digest
 */
export function readReference(text: string): ManifestReference | undefined {
  if (text.includes(":")) return { digest: checkDigest(text) };
  return tagForm.test(text) ? { tag: text } : undefined;
}

/** The algorithm of a digest. */
export function algorithmOf(digest: Digest): DigestAlgorithm {
  return digest.startsWith("sha512:") ? "sha512" : "sha256";
}

/** The hexadecimal part of a digest, which is safe as a file name. Its length tells the algorithm. */
export function hexOf(digest: Digest): string {
  return digest.slice(digest.indexOf(":") + 1);
}
