/** Names content by its hash, after parsing: `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** What is wrong with a text, as the rest of a sentence that begins with its name. */
export interface Problem {
  readonly problem: string;
}

export function isDigest(text: string): text is Digest {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** A digest, or what is wrong with the text: "must …". */
export function parseDigest(text: string): { readonly digest: Digest } | Problem {
  if (isDigest(text)) return { digest: text };
  const [, algorithm = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (algorithm !== "sha256") return { problem: "must have a digest that begins with sha256:" };
  if (/^[0-9a-f]{64}$/i.test(value)) return { problem: "must write the digest in lower case" };
  return { problem: `must have 64 hexadecimal digits after sha256: (got ${describe(value)})` };
}

/**
 * The tag that by convention belongs to a digest: `sha256-<hex>.sig` with the suffix `.sig`; without
 * one it is the tag of the fallback for registries that cannot list referrers.
 */
export function tagOfDigest(digest: Digest, suffix: AttachmentSuffix | "" = ""): string {
  return `${digest.replace(":", "-")}${suffix}`;
}

export type AttachmentSuffix = ".sig" | ".att" | ".sbom";

function describe(value: string): string {
  if (!/^[0-9a-f]*$/i.test(value)) return "other characters";
  return value.length === 1 ? "1 digit" : `${value.length} digits`;
}
