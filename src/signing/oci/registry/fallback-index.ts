import { isObject } from "../../../json/is-object";
import { tagOfDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { isIndexType, mediaTypes } from "../protocol/descriptor";
import type { Manifest, NewManifest } from "./manifests";
import { readDescriptors } from "../protocol/read-descriptor";
import { RegistryError } from "../protocol/registry-error";

/** The entries of an index, unchecked. */
export function entriesOf({ json }: Manifest): readonly unknown[] {
  return Array.isArray(json["manifests"]) ? json["manifests"] : [];
}

/** Whether an entry is an image for a platform, and no referrer. */
export function hasPlatform(entry: unknown): boolean {
  return isObject(entry) && isObject(entry["platform"]);
}

/** Whether an index lists a digest. */
export function namesDigest(index: Manifest | undefined, digest: Digest): boolean {
  return (
    index !== undefined &&
    isIndexType(index.mediaType) &&
    readDescriptors(entriesOf(index)).some((entry) => entry.digest === digest)
  );
}

/** Builds an index, keeping the other fields of the current one. */
export function indexOf(entries: readonly unknown[], current: Manifest | undefined): NewManifest {
  const mediaType = current?.mediaType ?? mediaTypes.imageIndex;
  const index = { schemaVersion: 2, mediaType, ...current?.json, manifests: entries };
  return { mediaType, bytes: Buffer.from(JSON.stringify(index)) };
}

/** Why the fallback tag does not contain only a list of referrers; undefined if it does. */
export function problemOf(
  current: Manifest,
  repository: Repository,
  subject: Digest,
): string | undefined {
  const tag = `${formatRepository(repository)}:${tagOfDigest(subject)}`;
  if (!isIndexType(current.mediaType)) {
    return `the tag ${tag}, which by convention lists referrers, contains something else (${current.digest}): an older tool may have copied an image there`;
  }
  return entriesOf(current).some(hasPlatform)
    ? `the tag ${tag}, which by convention lists referrers, contains images for platforms: an older tool may have copied an index there`
    : undefined;
}

/** Why no list of referrers can be written to the fallback tag: it contains something else. */
export function takenTag(
  current: Manifest | undefined,
  repository: Repository,
  subject: Digest,
): RegistryError | undefined {
  if (current === undefined || isIndexType(current.mediaType)) return undefined;
  const problem = problemOf(current, repository, subject) ?? "";
  const message = `${problem}; remove or rename that tag, and try again`;
  return new RegistryError({ code: "TAG_TAKEN", message });
}
