import { RegistryFailure } from "./registry-failure";

/** A digest that was checked; the only algorithm of this registry. */
export type Digest = `sha256:${string}`;

const digestForm = /^sha256:[0-9a-f]{64}$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const part = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const repositoryForm = new RegExp(`^(?=.{1,255}$)${part}(?:/${part})*$`);

export function isDigest(text: string): text is Digest {
  return digestForm.test(text);
}

/** @throws RegistryFailure */
export function checkDigest(text: string): Digest {
  if (isDigest(text)) return text;
  throw new RegistryFailure("DIGEST_INVALID", "a digest is sha256: and 64 lower-case hex digits");
}

/** @throws RegistryFailure */
export function checkRepository(text: string): string {
  if (repositoryForm.test(text)) return text;
  throw new RegistryFailure("NAME_INVALID", "this is not the name of a repository");
}

/** What a manifest is addressed by. */
export type ManifestReference = { readonly digest: Digest } | { readonly tag: string };

/** @throws RegistryFailure */
export function checkReference(text: string): ManifestReference {
  if (text.includes(":")) return { digest: checkDigest(text) };
  if (tagForm.test(text)) return { tag: text };
  throw new RegistryFailure("MANIFEST_INVALID", "this is neither a tag nor a digest");
}

/** The part behind the algorithm; a safe name for a file. */
export function hexOf(digest: Digest): string {
  return digest.slice("sha256:".length);
}
