import { parseDigest, type Problem } from "./digest";
import {
  type DigestReference,
  parseDigestReference,
  parseReference,
  type Reference,
} from "./reference";
import { layoutKindOf, parseRepository, type Repository } from "./repository";

/**
 * A name in a layout, which may be a whole image name, as `podman push` writes.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/annotations.md
 */
const layoutName = /^[A-Za-z0-9_][A-Za-z0-9._:@/+-]{0,511}$/;

/**
 * Parses an image in a registry, or in an image layout on this machine: `oci:PATH:NAME`, `oci-archive:PATH@DIGEST`. Without a
 * name, `oci:PATH` has an empty tag: the image `latest`, or the only one.
 */
export function parseImage(text: string): Reference | Problem {
  const kind = layoutKindOf(text);
  if (kind === undefined) return parseReference(text);
  const [, named = "", digestText] =
    /^(.*?)(?:@(sha\d+:[^/\\]*))?$/s.exec(text.slice(kind.length)) ?? [];
  // Other tools end the path at the first colon, too, except for that of a Windows drive.
  const [, path = "", tag] = /^((?:[a-zA-Z]:(?=[/\\]))?[^:]*)(?::(.*))?$/s.exec(named) ?? [];
  const problem = problemOfPath(path);
  if (problem !== undefined) return { problem };
  // A name beside a digest is dropped, as in a registry.
  if (digestText !== undefined) {
    const parsed = parseDigest(digestText);
    return "problem" in parsed ? parsed : { registry: kind, path, digest: parsed.digest };
  }
  if (tag === undefined) return { registry: kind, path, tag: "" };
  if (layoutName.test(tag)) return { registry: kind, path, tag };
  return {
    problem: "must have a name of at most 512 letters, digits and . _ - : @ / + after the path",
  };
}

/** Parses an image by digest, in a registry or in a layout. */
export function parseDigestImage(text: string): DigestReference | Problem {
  if (layoutKindOf(text) === undefined) return parseDigestReference(text);
  const image = parseImage(text);
  if ("problem" in image) return image;
  const { registry, path, digest } = image;
  if (digest !== undefined) return { registry, path, digest };
  return { problem: "must name the image by digest, oci:PATH@sha256:…, because a tag can change" };
}

/** Parses a repository or a layout, without a tag or digest. */
export function parseDestination(text: string): Repository | Problem {
  const kind = layoutKindOf(text);
  if (kind === undefined) return parseRepository(text);
  const path = text.slice(kind.length);
  const problem = problemOfPath(path);
  return problem === undefined ? { registry: kind, path } : { problem };
}

// Other tools end the path at the first colon, and the part after it is a tag for them.
function problemOfPath(path: string): string | undefined {
  if (path === "") return "must name the path of the image layout";
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(path)) return "must have a path without control characters";
  const rest = path.replace(/^[a-zA-Z]:(?=[/\\])/, "");
  if (/@sha\d+:/.test(rest)) return "must be a path without a digest";
  return rest.includes(":") ? "must have a path without a colon, and no tag" : undefined;
}
