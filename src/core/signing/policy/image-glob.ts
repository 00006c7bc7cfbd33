import type { Digest, Problem } from "../oci/reference/descriptor";
import {
  canonicalRegistry,
  dockerHub,
  formatRepository,
  parseReference,
  type Repository,
} from "../oci/reference/image-name";

export interface PolicyImage {
  readonly repository: Repository;
  /** @default not known yet: a tag, which will be resolved to a digest of SHA-256 */
  readonly digest?: Digest | undefined;
  /** The reference as the user wrote it. Patterns may match this too. */
  readonly given: string;
}

const maxLength = 1_000;

/** The full form of the shortest patterns. */
const bare: ReadonlyMap<string, string> = new Map([
  ["*", "index.docker.io/library/*"],
  ["*/*", "index.docker.io/*/*"],
]);

/**
 * A pattern for image names. `*` matches any characters except a slash, `**` matches any characters. The
 * pattern must match the whole name. A single star, or two joined by a slash, match only images of Docker Hub.
 *
 * @see https://docs.sigstore.dev/policy-controller/overview/#configuring-image-patterns
 */
export class ImageGlob {
  readonly #full: string;

  /** @param source the pattern as it was written */
  private constructor(readonly source: string) {
    this.#full = bare.get(source) ?? source;
  }

  /** Parses a pattern; the problem is a predicate that begins with "must". */
  static parse(source: string): ImageGlob | Problem {
    if (source === "") return { problem: "must not be empty" };
    if (source.length > maxLength) return { problem: `must have at most ${maxLength} characters` };
    if (/^[A-Za-z0-9\-_:/*.@]+$/.test(source)) return new ImageGlob(source);
    return { problem: "must consist of letters, digits and - _ : / * . @" };
  }

  /** A warning, if the pattern matches other images than its author may expect. */
  get advice(): string | undefined {
    const { source } = this;
    if (bare.has(source)) return `"${source}" matches images of Docker Hub only: ${this.#full}`;
    if (/\/[^@]*:[^/@]*$/.test(source)) {
      return `"${source}" has a tag, so it matches only images that are given by a tag, not the same images by digest`;
    }
    if (!source.startsWith("docker.io/")) return undefined;
    return `the full names of Docker Hub images begin with index.docker.io/: other tools match "${source}" only with images that are written as docker.io/…`;
  }

  /**
   * True if the pattern matches an image, however its registry is written in either of them. Without a digest: true if it
   * matches with any digest.
   */
  appliesTo(image: PolicyImage): boolean {
    const names = canonicalNames(image);
    return canonicalPatterns(this.#full).some((pattern) =>
      names.some((name) => isMatch(pattern, name)),
    );
  }

  matches(name: string): boolean {
    return isMatch(this.#full, name);
  }
}

/** Replaces each digit of a digest that is not known yet. Neither names nor patterns can contain it. */
const anyDigit = "?";

/** Tracks all positions in the pattern at once, so the time is bounded. */
function isMatch(pattern: string, name: string): boolean {
  const parts = pattern.match(/\*\*|./g) ?? [];
  /** Stars also match an empty string. */
  const skipStars = (positions: Set<number>): Set<number> => {
    // Iterating a set includes the elements that are added on the way.
    for (const at of positions) if (parts[at]?.startsWith("*") === true) positions.add(at + 1);
    return positions;
  };
  let reached = skipStars(new Set([0]));
  for (const character of name) {
    const next = new Set<number>();
    for (const at of reached) {
      const part = parts[at];
      if (part === "**" || (part === "*" && character !== "/")) next.add(at);
      else if (part === character && part !== "*") next.add(at + 1);
      else if (character === anyDigit && /^[\da-f]$/.test(part ?? "")) next.add(at + 1);
    }
    reached = skipStars(next);
  }
  return reached.has(parts.length);
}

/**
 * The names of an image that patterns are matched with. They do not depend on how its registry is written:
 * `REGISTRY.example`, `registry.example:443` and `registry.example:80` are the same host as
 * `registry.example`, and `docker.io` is `index.docker.io`.
 *
 * A tag is part of a name only if the image was given by that tag, because a digest does not know its tags.
 */
function canonicalNames({ repository, digest, given }: PolicyImage): readonly string[] {
  const registry = policyHost(repository.registry);
  const name = formatRepository({ ...repository, registry });
  const reference = parseReference(given);
  const tag = "problem" in reference ? undefined : reference.tag;
  const known = digest ?? `sha256:${anyDigit.repeat(64)}`;
  return [name, `${name}@${known}`, ...(tag === undefined ? [] : [`${name}:${tag}`])];
}

/**
 * Writes a pattern with the same spelling of its host as {@link canonicalNames}. Without a slash, `app**` can begin
 * with a host or with an image of Docker Hub, and means both.
 */
function canonicalPatterns(pattern: string): readonly string[] {
  const slash = pattern.indexOf("/");
  if (slash >= 0) return [canonicalPattern(pattern, slash)];
  const official = `${dockerHub}/library/${pattern}`;
  return pattern.includes("**") ? [pattern, official] : [official];
}

function canonicalPattern(pattern: string, slash: number): string {
  const host = pattern.slice(0, slash);
  const path = pattern.slice(slash + 1);
  if (host.includes("*")) return `${withoutDefaultPort(host.toLowerCase())}/${path}`;
  // The same rule as for images: a first part that does not look like a host is a path on Docker Hub.
  if (!/[.:]/.test(host) && host.toLowerCase() !== "localhost") return `${dockerHub}/${pattern}`;
  const registry = policyHost(host);
  const isOfficial = registry === dockerHub && !path.includes("/") && !path.includes("**");
  return `${registry}/${isOfficial ? "library/" : ""}${path}`;
}

/**
 * The port of plain http is left out too, so that a policy for a host covers its images on both default ports,
 * whether or not a port is written.
 */
const policyHost = (registry: string): string =>
  canonicalRegistry(withoutDefaultPort(canonicalRegistry(registry)));

const withoutDefaultPort = (host: string): string => host.replace(/:(?:80|443)$/, "");
