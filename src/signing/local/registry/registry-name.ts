import { RegistryFailure } from "./registry-failure";

/** A valid digest. This registry supports only sha256. */
export type Digest = `sha256:${string}`;

const digestForm = /^sha256:[0-9a-f]{64}$/;
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
    "a digest must be sha256: and 64 lowercase hexadecimal digits",
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
 * Parses a digest or tag.
 *
 * @throws RegistryFailure
 */
export function checkReference(text: string): ManifestReference {
  if (text.includes(":")) return { digest: checkDigest(text) };
  if (tagForm.test(text)) return { tag: text };
  throw new RegistryFailure("MANIFEST_INVALID", "this is neither a tag nor a digest");
}

/** The hexadecimal part of a digest, which is safe as a file name. */
export function hexOf(digest: Digest): string {
  return digest.slice("sha256:".length);
}
