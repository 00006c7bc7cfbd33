import { parseDigest, type Digest, type Problem } from "./digest";
import {
  formatRepository,
  hasTag,
  layoutKindOf,
  noLayout,
  parseName,
  type Repository,
} from "./repository";

/** An image reference: a repository with a digest, or with a tag. */
export type Reference = Repository &
  (
    | { readonly digest: Digest; readonly tag?: undefined }
    | { readonly tag: string; readonly digest?: undefined }
  );

/**
 * Parses an image reference. The default tag is `latest`. If it has both a tag and a digest, the tag is
 * dropped.
 */
export function parseReference(text: string): Reference | Problem {
  if (layoutKindOf(text) !== undefined) return { problem: noLayout };
  const [named = "", digestText, ...more] = text.split("@");
  if (more.length > 0) return { problem: "must not have more than one @" };
  const colon = hasTag(named) ? named.lastIndexOf(":") : named.length;
  const tag = hasTag(named) ? named.slice(colon + 1) : "latest";
  if (!tagPattern.test(tag)) return { problem: `must have a tag ${tagShape}` };
  const name = parseName(named.slice(0, colon));
  if ("problem" in name) return name;
  if (digestText === undefined) return { ...name, tag };
  const parsed = parseDigest(digestText);
  return "problem" in parsed ? parsed : { ...name, digest: parsed.digest };
}

/** An image reference by digest. Only such a reference can be signed, because it always names the same image. */
export interface DigestReference extends Repository {
  readonly digest: Digest;
}

/** Parses an image reference by digest. A tag next to the digest is dropped. */
export function parseDigestReference(text: string): DigestReference | Problem {
  const reference = parseReference(text);
  if ("problem" in reference) return reference;
  const { registry, path, digest } = reference;
  if (digest !== undefined) return { registry, path, digest };
  return {
    problem: "must name the image by digest, repository@sha256:…, because a tag can change",
  };
}

/** @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests */
export const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** The pattern in words. */
export const tagShape = "of at most 128 letters, digits and . _ -, the first not . or -";

/** `host/repository:tag` or `host/repository@sha256:…` */
export function formatReference(reference: Reference): string {
  const { tag, digest } = reference;
  return `${formatRepository(reference)}${digest === undefined ? `:${tag}` : `@${digest}`}`;
}
