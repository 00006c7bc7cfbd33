import type { CallContext } from "../../../http/call-context";
import { formatLabel } from "../../../http/request-label";
import type { Digest } from "../reference/digest";
import type { Repository } from "../reference/repository";
import { mediaTypes, type Descriptor } from "../protocol/descriptor";
import { readDescriptors } from "../protocol/read-descriptor";
import { readJsonObject } from "../protocol/read-json";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

const maxPages = 50;
const maxBytes = 4 * 1024 * 1024;

/**
 * Lists the referrers of a manifest; undefined if the registry does not implement the referrers API.
 *
 * Only the response to this request shows that: not all registries with the API send `OCI-Subject`.
 *
 * @throws RegistryError
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export async function queryReferrersApi(
  calls: RegistryCalls,
  repository: Repository,
  subject: Digest,
  context: CallContext,
): Promise<readonly Descriptor[] | undefined> {
  const found: Descriptor[] = [];
  let path: string | URL = `referrers/${subject}`;
  for (let page = 1; page <= maxPages; page++) {
    const answer = await calls.request({
      repository,
      method: "GET",
      path,
      headers: { accept: mediaTypes.imageIndex },
      actions: "pull",
      context,
      maxBytes,
      redirects: "same-host",
    });
    const { status, headers, url, body } = answer;
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    const isList = status === 200 && type.trim() === mediaTypes.imageIndex;
    if (!isList && page === 1 && (status === 200 || absences.has(status))) return undefined;
    if (status !== 200) throw answer.refusal();
    const manifests = readJsonObject(body)?.["manifests"];
    if (!isList || !Array.isArray(manifests)) {
      const message = `${formatLabel({ method: "GET", url })} did not return a referrers list`;
      throw new RegistryError({ code: "MALFORMED_ANSWER", message });
    }
    found.push(...readDescriptors(manifests));
    const next = nextPage(headers["link"], url);
    if (next === undefined) return found;
    path = next;
  }
  throw new RegistryError({
    code: "TOO_LARGE",
    message: `the registry lists the referrers of ${subject} on more than ${maxPages} pages`,
  });
}

// Statuses of registries without the referrers API.
const absences: ReadonlySet<number> = new Set([400, 404, 405, 406, 501]);

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
