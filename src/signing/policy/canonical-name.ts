import { parseReference } from "../oci/reference/reference";
import { canonicalRegistry, dockerHub, formatRepository } from "../oci/reference/repository";
import type { PolicyImage } from "./policy-evidence";

/**
 * The names of an image that patterns are matched with. They do not depend on how its registry is written:
 * `REGISTRY.example`, `registry.example:443` and `registry.example:80` are the same host as
 * `registry.example`, and `docker.io` is `index.docker.io`.
 *
 * A tag is part of a name only if the image was given by that tag, because a digest does not know its tags.
 */
export function canonicalNames({ repository, digest, given }: PolicyImage): readonly string[] {
  const registry = policyHost(repository.registry);
  const name = formatRepository({ ...repository, registry });
  const reference = parseReference(given);
  const tag = "problem" in reference ? undefined : reference.tag;
  return [name, `${name}@${digest}`, ...(tag === undefined ? [] : [`${name}:${tag}`])];
}

/** Writes a pattern with the same spelling of its host as {@link canonicalNames}. */
export function canonicalPattern(pattern: string): string {
  const slash = pattern.indexOf("/");
  if (slash < 0) return pattern.includes("**") ? pattern : `${dockerHub}/library/${pattern}`;
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
 * The port of plain http is left out too. A policy for a host so covers its images on both default ports,
 * whichever of them is written.
 */
const policyHost = (registry: string): string =>
  canonicalRegistry(withoutDefaultPort(canonicalRegistry(registry)));

const withoutDefaultPort = (host: string): string => host.replace(/:(?:80|443)$/, "");
