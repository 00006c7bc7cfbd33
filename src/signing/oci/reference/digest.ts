/**
 * A digest of content: `sha256:` and 64 lowercase hexadecimal digits.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests
 */
export type Digest = `sha256:${string}`;

/** Why a value is invalid. */
export interface Problem {
  /** Predicate of a sentence, such as "must …". */
  readonly problem: string;
}

/** Whether a string is a valid digest. */
export function isDigest(text: string): text is Digest {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Parses a digest. */
export function parseDigest(text: string): { readonly digest: Digest } | Problem {
  if (isDigest(text)) return { digest: text };
  const [, algorithm = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (algorithm !== "sha256") return { problem: "must have a digest that begins with sha256:" };
  if (/^[0-9a-f]{64}$/i.test(value)) return { problem: "must have a lowercase digest" };
  return { problem: `must have 64 hexadecimal digits after sha256: (got ${describe(value)})` };
}

/**
 * The tag for attachments of a digest, such as `sha256-<hex>.sig`. Without a suffix, it is the fallback tag
 * for registries without the referrers API.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
export function tagOfDigest(digest: Digest, suffix: AttachmentSuffix | "" = ""): string {
  return `${digest.replace(":", "-")}${suffix}`;
}

/** Suffixes of the tags for signatures, attestations and software bills of materials. */
export type AttachmentSuffix = ".sig" | ".att" | ".sbom";

function describe(value: string): string {
  if (!/^[0-9a-f]*$/i.test(value)) return "other characters";
  return value.length === 1 ? "1 digit" : `${value.length} digits`;
}
