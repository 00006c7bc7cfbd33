import { HttpFailure } from "../../service/answer";
import { type Digest, isDigest } from "../../../core/signing/oci/reference/descriptor";
import { tagPattern } from "../../../core/signing/oci/reference/image-name";

const statuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 416,
  BLOB_UPLOAD_UNKNOWN: 404,
  DENIED: 403,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 400,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  PRECONDITION: 412,
  SIZE_INVALID: 413,
  TOOMANYREQUESTS: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED: 405,
} as const;

/**
 * The error codes of the distribution specification.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes
 */
type RegistryErrorCode = keyof typeof statuses;

/** The refusal of a request, in the format of the specification. */
export const registryFailure = (
  code: RegistryErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpFailure =>
  new HttpFailure(statuses[code], message, headers, { errors: [{ code, message, detail: {} }] });

const part = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const repositoryForm = new RegExp(`^(?=.{1,255}$)${part}(?:/${part})*$`);

/** @throws HttpFailure `DIGEST_INVALID` */
export function checkDigest(text: string): Digest {
  if (isDigest(text)) return text;
  throw registryFailure(
    "DIGEST_INVALID",
    "a digest must be sha256: and 64, or sha512: and 128 lowercase hexadecimal digits",
  );
}

export const isRepository = (text: string): boolean => repositoryForm.test(text);

/** @throws HttpFailure `NAME_INVALID` */
export function checkRepository(text: string): string {
  if (isRepository(text)) return text;
  throw registryFailure("NAME_INVALID", "this is not the name of a repository");
}

export type ManifestReference = { readonly digest: Digest } | { readonly tag: string };

/** Parses a digest or tag under which a manifest is to be stored. @throws HttpFailure */
export function checkReference(text: string): ManifestReference {
  return text.includes(":") ? { digest: checkDigest(text) } : { tag: checkTag(text) };
}

/** @throws HttpFailure `MANIFEST_INVALID` */
export function checkTag(text: string): string {
  if (tagPattern.test(text)) return text;
  throw registryFailure("MANIFEST_INVALID", "this is neither a tag nor a digest");
}

/**
 * Parses a digest or tag to look up; undefined for a name that no tag can have, which is then not found.
 *
 * @throws HttpFailure if it is an invalid digest
 */
export function readReference(text: string): ManifestReference | undefined {
  if (text.includes(":")) return { digest: checkDigest(text) };
  return tagPattern.test(text) ? { tag: text } : undefined;
}
