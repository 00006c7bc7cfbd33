import { type Digest, parseDigest, type Problem } from "./descriptor";

/** A repository, with Docker Hub's defaults filled in. */
export interface Repository {
  /** Host in its canonical spelling, with the port if needed: `index.docker.io`, `127.0.0.1:5000`. */
  readonly registry: string;
  /** `library/alpine` */
  readonly path: string;
}

export const dockerHub = "index.docker.io";

const dockerHubNames: ReadonlySet<string> = new Set(["docker.io", "registry-1.docker.io"]);

const maxPathLength = 255;

/** Parses a repository. A tag or digest is a problem. */
export function parseRepository(text: string): Repository | Problem {
  if (layoutKindOf(text) !== undefined) return { problem: noLayout };
  if (text.includes("@")) return { problem: "must be a repository without a digest" };
  if (hasTag(text)) return { problem: "must be a repository without a tag" };
  return parseName(text);
}

/** `index.docker.io/library/alpine`, or `oci:/srv/mirror` for a layout. */
export function formatRepository(repository: Repository): string {
  const { registry, path } = repository;
  return isLayout(repository) ? `${registry}${path}` : `${registry}/${path}`;
}

/** What replaces the registry of a local image layout: a folder, or a tar archive. No host has such a name. */
const layoutKinds = ["oci:", "oci-archive:"] as const;

type LayoutKind = (typeof layoutKinds)[number];

/** Checks for an image layout on this machine instead of a repository in a registry. */
export function isLayout({ registry }: Repository): boolean {
  return (layoutKinds as readonly string[]).includes(registry);
}

/** The kind of layout at the start of a name; undefined for a registry, also one with the host `oci` and a port. */
export function layoutKindOf(text: string): LayoutKind | undefined {
  if (/^oci(?:-archive)?:\d+\//.test(text)) return undefined;
  return layoutKinds.find((kind) => text.startsWith(kind));
}

/**
 * The canonical spelling of a registry, so that another spelling cannot select other policies or credentials:
 * lowercase, without the port of https, with one spelling of an IP address, and with one name for Docker Hub. It
 * connects to the same host. An invalid name is returned unchanged.
 *
 * @see https://url.spec.whatwg.org/#host-parsing
 */
export function canonicalRegistry(registry: string): string {
  const url = `https://${registry}`;
  if (/[/?#@\\]/.test(registry) || !URL.canParse(url)) return registry;
  const { host } = new URL(url);
  return dockerHubNames.has(host) ? dockerHub : host;
}

/** Compares two repositories; the host is not case-sensitive. */
export function isSameRepository(a: Repository, b: Repository): boolean {
  return a.path === b.path && a.registry.toLowerCase() === b.registry.toLowerCase();
}

/** Checks for a tag: a colon after the last slash. A colon before it belongs to the port. */
export function hasTag(name: string): boolean {
  return name.lastIndexOf(":") > name.lastIndexOf("/");
}

/** The problem of a layout where only registries can be used. */
const noLayout =
  "must be in a registry: an image layout on this machine can only be copied and verified";

/** Parses a repository without checking for a tag or digest. */
function parseName(text: string): Repository | Problem {
  if (text === "") return { problem: "must not be empty" };
  if (/\s/.test(text)) return { problem: "must not contain whitespace" };
  if (text.includes("://")) {
    return { problem: "must be a name such as registry.example/repository, without a scheme" };
  }
  const slash = text.indexOf("/");
  const first = text.slice(0, Math.max(slash, 0));
  // Docker's rule: a first component that looks like a host is one; all other names are paths on Docker Hub.
  const isHost = /[.:]/.test(first) || first === "localhost";
  const host = isHost ? first : dockerHub;
  const registry = canonicalRegistry(host);
  const rest = isHost ? text.slice(slash + 1) : text;
  const problem = problemOfRegistry(host) ?? problemOfPath(rest);
  if (problem !== undefined) return { problem };
  const path = registry === dockerHub && !rest.includes("/") ? `library/${rest}` : rest;
  return { registry, path };
}

function problemOfRegistry(registry: string): string | undefined {
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(registry) ?? [];
  const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
  const isName = host.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(host);
  const isAddress = host.startsWith("[");
  const isPort = port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) < 65_536);
  if ((isName || isAddress) && isPort && URL.canParse(`https://${registry}/`)) return undefined;
  return `must begin with a registry's host name, with a port if needed (got "${registry}")`;
}

function problemOfPath(path: string): string | undefined {
  if (path === "") return "must have a repository after the registry";
  if (path.length > maxPathLength) {
    return `must have a repository of at most ${maxPathLength} characters (got ${path.length})`;
  }
  if (/[A-Z]/.test(path)) return "must have a lowercase repository";
  const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  if (new RegExp(`^${component}(?:/${component})*$`).test(path)) return undefined;
  return "must have a repository of lowercase letters and digits, separated by / . _ __ or -";
}

/** An image reference: a repository with a digest, or with a tag. */
export type Reference = Repository &
  (
    | { readonly digest: Digest; readonly tag?: undefined }
    | { readonly tag: string; readonly digest?: undefined }
  );

/** Parses an image reference. The default tag is `latest`. If it has both a tag and a digest, the tag is dropped. */
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

/** An image reference by digest. Only such a reference can be signed, because it always refers to the same image. */
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
    problem: "must have a digest, repository@sha256:…, because a tag can change",
  };
}

/** @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests */
export const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

export const tagShape = "of at most 128 letters, digits and . _ -, the first not . or -";

/** `host/repository:tag` or `host/repository@sha256:…` */
export function formatReference(reference: Reference): string {
  const { tag, digest } = reference;
  return `${formatRepository(reference)}${digest === undefined ? `:${tag}` : `@${digest}`}`;
}

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
  const problem = problemOfFolder(path);
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
  return { problem: "must have a digest, oci:PATH@sha256:…, because a tag can change" };
}

/** Parses a repository or a layout, without a tag or digest. */
export function parseDestination(text: string): Repository | Problem {
  const kind = layoutKindOf(text);
  if (kind === undefined) return parseRepository(text);
  const path = text.slice(kind.length);
  const problem = problemOfFolder(path);
  return problem === undefined ? { registry: kind, path } : { problem };
}

// Other tools end the path at the first colon, and the part after it is a tag for them.
function problemOfFolder(path: string): string | undefined {
  if (path === "") return "must have the path of the image layout";
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(path)) return "must have a path without control characters";
  const rest = path.replace(/^[a-zA-Z]:(?=[/\\])/, "");
  if (/@sha\d+:/.test(rest)) return "must be a path without a digest";
  return rest.includes(":") ? "must have a path without a colon, and no tag" : undefined;
}
