import { isEnd } from "../../../failure/failure";
import type { CallContext } from "../../../http/call-context";
import type { HttpResponse } from "../../../http/client";
import { formatLabel } from "../../../http/request-label";
import { type Digest, type Descriptor, mediaTypes, readDescriptors } from "../reference/descriptor";
import { type Repository, tagPattern } from "../reference/image-name";
import type { RegistryCalls, RegistryRequest } from "./registry-call";
import { RegistryError } from "./registry-error";
import { readJsonObject } from "../../../json/parse-json";

const maxPages = 50;
const maxListBytes = 8 * 1024 * 1024;

export interface ReferrersApi {
  /** Lists the referrers; undefined if there is no such list. */
  list(
    repository: Repository,
    subject: Digest,
    context: CallContext,
  ): Promise<ListedReferrers | undefined>;
  /** Checks whether there is such a list, however long it is. */
  exists(repository: Repository, subject: Digest, context: CallContext): Promise<boolean>;
  listsTag(repository: Repository, tag: string, context: CallContext): Promise<boolean>;
}

export function referrersApi(calls: RegistryCalls): ReferrersApi {
  return {
    list: (...query) => queryReferrersApi(calls, ...query),
    exists: (...query) => hasReferrersApi(calls, ...query),
    listsTag: (...query) => listsTag(calls, ...query),
  };
}

interface ListedReferrers {
  readonly referrers: readonly Descriptor[];
  /** True if the list is longer than what was read. @default false */
  readonly hasMore?: boolean;
}

/**
 * Lists the referrers of a manifest; undefined if the registry does not implement the referrers API.
 *
 * Only the response to this request shows that: not all registries with the API send `OCI-Subject`. Reads at
 * most 50 pages and 8 MiB.
 *
 * @throws RegistryError
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
async function queryReferrersApi(
  calls: RegistryCalls,
  repository: Repository,
  subject: Digest,
  context: CallContext,
): Promise<ListedReferrers | undefined> {
  const referrers: Descriptor[] = [];
  let left = maxListBytes;
  let path: string | URL = `referrers/${subject}`;
  for (let page = 1; page <= maxPages; page++) {
    const statuses = page === 1 ? [200, ...absences] : [200];
    const request = listRequest(repository, path, context, left, statuses);
    const answer = await calls.request(request).catch((failure: unknown) => {
      if (failure instanceof RegistryError && failure.code === "TOO_LARGE") return "too large";
      if (page === 1 && isElsewhere(failure)) return "absent";
      throw failure;
    });
    if (answer === "absent") return undefined;
    if (answer === "too large") break;
    const { headers, url, body } = answer;
    if (page === 1 && !isList(answer)) return undefined;
    const manifests = readJsonObject(body)?.["manifests"];
    if (!isList(answer) || !Array.isArray(manifests)) {
      const message = `${formatLabel({ method: "GET", url })} did not return a referrers list`;
      throw new RegistryError("MALFORMED_ANSWER", message);
    }
    for (const descriptor of readDescriptors(manifests)) referrers.push(descriptor);
    const next = nextPage(headers["link"], url);
    if (next === undefined) return { referrers };
    path = next;
    left -= body.byteLength;
  }
  return { referrers, hasMore: true };
}

async function hasReferrersApi(
  calls: RegistryCalls,
  repository: Repository,
  subject: Digest,
  context: CallContext,
): Promise<boolean> {
  const path = `referrers/${subject}`;
  const request = listRequest(repository, path, context, Infinity, [200, ...absences]);
  const answer = await calls.open(request).catch((failure: unknown) => {
    if (isElsewhere(failure)) return undefined;
    throw failure;
  });
  if (answer === undefined) return false;
  let bytes = 0;
  // A short list is read to its end, so that the connection can be used again.
  for await (const chunk of answer.body) if ((bytes += chunk.byteLength) > maxDrainBytes) break;
  return isList(answer);
}

/** Requests the tags from this one on; some registries return all. A list that cannot be read has no tag. */
async function listsTag(
  calls: RegistryCalls,
  repository: Repository,
  tag: string,
  context: CallContext,
): Promise<boolean> {
  const query = { n: "10", last: tag.slice(0, -1) };
  const request = { repository, method: "GET", path: "tags/list", query, context } as const;
  const answer = await calls
    .request({ ...request, expected: [200], maxBytes: maxListBytes, redirects: "same-host" })
    .catch((failure: unknown) => {
      if (failure instanceof RegistryError && !isEnd(failure)) return undefined;
      throw failure;
    });
  const tags = answer && readJsonObject(answer.body)?.["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}

/** The tags of a repository. */
export interface TagList {
  readonly tags: readonly string[];
  /** True if not all were read. */
  readonly hasMore: boolean;
}

/**
 * Lists the tags of a repository. Reads at most 50 pages and 8 MiB.
 *
 * @throws RegistryError
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-tags
 */
export async function listTags(
  calls: RegistryCalls,
  repository: Repository,
  context: CallContext,
): Promise<TagList> {
  const tags: string[] = [];
  let left = maxListBytes;
  let next: string | URL = "tags/list";
  for (let page = 1; page <= maxPages; page++) {
    const query = page === 1 ? { n: "1000" } : {};
    const request = { repository, method: "GET", path: next, query, context } as const;
    const answer: HttpResponse | undefined = await calls
      .request({ ...request, expected: [200], maxBytes: left, redirects: "same-host" })
      .catch((failure: unknown) => {
        if (failure instanceof RegistryError && failure.code === "TOO_LARGE") return undefined;
        throw failure;
      });
    if (answer === undefined) break;
    const { headers, url, body } = answer;
    const list = readJsonObject(body);
    // Some registries have null for none.
    const listed = list?.["tags"] ?? [];
    if (list === undefined || !Array.isArray(listed)) {
      const message = `${formatLabel({ method: "GET", url })} did not return a list of tags`;
      throw new RegistryError("MALFORMED_ANSWER", message);
    }
    // A spread cannot have as many arguments.
    for (const tag of listed) if (typeof tag === "string" && tagPattern.test(tag)) tags.push(tag);
    const following = nextPage(headers["link"], url);
    if (following === undefined) return { tags, hasMore: false };
    next = following;
    left -= body.byteLength;
  }
  return { tags, hasMore: true };
}

const maxDrainBytes = 65_536;

/** Some registries redirect unknown paths to a web page on another host, which is not followed. */
function isElsewhere(failure: unknown): boolean {
  return failure instanceof RegistryError && failure.code === "UNSAFE";
}

function listRequest(
  repository: Repository,
  path: string | URL,
  context: CallContext,
  maxBytes: number,
  expected: readonly number[],
): RegistryRequest {
  return {
    repository,
    method: "GET",
    path,
    headers: { accept: mediaTypes.imageIndex },
    context,
    expected,
    maxBytes,
    redirects: "same-host",
  };
}

function isList({ status, headers }: Pick<HttpResponse, "status" | "headers">): boolean {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return status === 200 && type.trim() === mediaTypes.imageIndex;
}

// Statuses of registries without the referrers API.
const absences = [400, 404, 405, 406, 501];

/** The URL of the next page, at the same origin: a registry behind a proxy may write another scheme. */
function nextPage(header: string | undefined, url: URL): URL | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(header ?? "")?.[1];
  if (target === undefined || !URL.canParse(target, url.href)) return undefined;
  const { hostname, pathname, search } = new URL(target, url);
  if (hostname === url.hostname) return new URL(`${pathname}${search}`, url.origin);
  // Without the rest of the list, signatures would seem to be missing.
  throw new RegistryError(
    "UNSAFE",
    `${formatLabel({ method: "GET", url })} continues its list at another host, ${hostname}; nothing was sent there`,
  );
}
