import type { CallContext } from "../../../http/call-context";
import { formatLabel } from "../../../http/request-label";
import type { Digest } from "../reference/digest";
import type { Repository } from "../reference/repository";
import { mediaTypes, type Descriptor } from "../protocol/descriptor";
import { readDescriptors } from "../protocol/read-descriptor";
import { readJsonObject } from "../protocol/read-json";
import type { RegistryCalls, RegistryRequest } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

const maxPages = 50;
const maxListBytes = 8 * 1024 * 1024;

/** The referrers that a registry lists. */
interface ListedReferrers {
  readonly referrers: readonly Descriptor[];
  /** Whether the list is longer than what was read. */
  readonly hasMore: boolean;
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
export async function queryReferrersApi(
  calls: RegistryCalls,
  repository: Repository,
  subject: Digest,
  context: CallContext,
): Promise<ListedReferrers | undefined> {
  const referrers: Descriptor[] = [];
  let left = maxListBytes;
  let path: string | URL = `referrers/${subject}`;
  for (let page = 1; page <= maxPages; page++) {
    const request = listRequest(repository, path, context, left);
    const answer = await calls.request(request).catch((failure: unknown) => {
      if (failure instanceof RegistryError && failure.code === "TOO_LARGE") return undefined;
      throw failure;
    });
    if (answer === undefined) break;
    const { status, headers, url, body } = answer;
    if (page === 1 && lacksApi(answer)) return undefined;
    if (status !== 200) throw answer.refusal();
    const manifests = readJsonObject(body)?.["manifests"];
    if (!isList(answer) || !Array.isArray(manifests)) {
      const message = `${formatLabel({ method: "GET", url })} did not return a referrers list`;
      throw new RegistryError({ code: "MALFORMED_ANSWER", message });
    }
    for (const descriptor of readDescriptors(manifests)) referrers.push(descriptor);
    const next = nextPage(headers["link"], url);
    if (next === undefined) return { referrers, hasMore: false };
    path = next;
    left -= body.byteLength;
  }
  return { referrers, hasMore: true };
}

/**
 * Whether the registry implements the referrers API, however long the list is.
 *
 * @throws RegistryError
 */
export async function hasReferrersApi(
  calls: RegistryCalls,
  repository: Repository,
  subject: Digest,
  context: CallContext,
): Promise<boolean> {
  const path = `referrers/${subject}`;
  const answer = await calls.open(listRequest(repository, path, context, Infinity));
  if (answer.status !== 200 && !lacksApi(answer)) throw await answer.refusal();
  let bytes = 0;
  // A short list is read to its end, so that the connection can be used again.
  for await (const chunk of answer.body) if ((bytes += chunk.byteLength) > maxDrainBytes) break;
  return !lacksApi(answer);
}

const maxDrainBytes = 65_536;

function listRequest(
  repository: Repository,
  path: string | URL,
  context: CallContext,
  maxBytes: number,
): RegistryRequest {
  return {
    repository,
    method: "GET",
    path,
    headers: { accept: mediaTypes.imageIndex },
    actions: "pull",
    context,
    maxBytes,
    redirects: "same-host",
  };
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

function isList({ status, headers }: AnswerHead): boolean {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return status === 200 && type.trim() === mediaTypes.imageIndex;
}

// Statuses of registries without the referrers API.
const absences: ReadonlySet<number> = new Set([400, 404, 405, 406, 501]);

function lacksApi(answer: AnswerHead): boolean {
  return absences.has(answer.status) || (answer.status === 200 && !isList(answer));
}

/** The URL of the next page, at the same origin: a registry behind a proxy may write another scheme. */
function nextPage(header: string | undefined, url: URL): URL | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(header ?? "")?.[1];
  if (target === undefined || !URL.canParse(target, url.href)) return undefined;
  const { hostname, pathname, search } = new URL(target, url);
  if (hostname === url.hostname) return new URL(`${pathname}${search}`, url.origin);
  // Without the rest of the list, signatures would seem to be missing.
  throw new RegistryError({
    code: "UNSAFE",
    message: `${formatLabel({ method: "GET", url })} continues its list at another host, ${hostname}; nothing was sent there`,
  });
}
