import { createHash } from "node:crypto";

// The number of hexadecimal digits for each algorithm.
const lengths = { sha256: 64, sha512: 128 } as const;

export type DigestAlgorithm = keyof typeof lengths;

/**
 * A digest of content: `sha256:` and 64, or `sha512:` and 128 lowercase hexadecimal digits.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests
 */
export type Digest = `${DigestAlgorithm}:${string}`;

/** Why a value is invalid. */
export interface Problem {
  /** Predicate of a sentence, such as "must …". */
  readonly problem: string;
}

export function isDigest(text: string): text is Digest {
  return /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);
}

/** The algorithm of a digest, which is also its name in `node:crypto` and in statements. */
export function algorithmOf(digest: Digest): DigestAlgorithm {
  return digest.startsWith("sha512:") ? "sha512" : "sha256";
}

export function hexOf(digest: Digest): string {
  return digest.slice(digest.indexOf(":") + 1);
}

export function parseDigest(text: string): { readonly digest: Digest } | Problem {
  if (isDigest(text)) return { digest: text };
  const [, algorithm = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (algorithm !== "sha256" && algorithm !== "sha512") {
    return { problem: "must have a digest that begins with sha256: or sha512:" };
  }
  if (isDigest(text.toLowerCase())) return { problem: "must have a lowercase digest" };
  const expected = `${lengths[algorithm]} hexadecimal digits after ${algorithm}:`;
  return { problem: `must have ${expected} (got ${describe(value)})` };
}

export function digestOf(bytes: Uint8Array, algorithm: DigestAlgorithm = "sha256"): Digest {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

// A tag has at most 128 characters, so the specification shortens longer digests.
const maxTagHex = 64;

/**
 * The tag for attachments of a digest, such as `sha256-<hex>.sig`. Without a suffix, it is the fallback tag
 * for registries without the referrers API.
 *
 * A sha512 digest does not fit into a tag: only its first 64 digits are used. This is safe because everything
 * that is attached names the whole digest.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export function tagOfDigest(digest: Digest, suffix: AttachmentSuffix | "" = ""): string {
  return `${algorithmOf(digest)}-${hexOf(digest).slice(0, maxTagHex)}${suffix}`;
}

type AttachmentSuffix = ".sig" | ".att" | ".sbom";

function describe(value: string): string {
  if (!/^[0-9a-f]*$/i.test(value)) return "other characters";
  return value.length === 1 ? "1 digit" : `${value.length} digits`;
}
