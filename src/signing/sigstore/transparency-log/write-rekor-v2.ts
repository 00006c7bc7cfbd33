import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { retryPolicy } from "../../../http/retry-policy";
import { JsonError } from "../../../json/json-error";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { readBundledEntry, type BundledEntry } from "../format/bundle";
import { callService, refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";

/** A request to write an entry to a log of version 2. */
export interface RekorV2Request {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** Base URL of the log. */
  readonly url: string;
  /** See `proposeRekorV2`. */
  readonly entry: object;
}

const service = "The transparency log (Rekor v2)";

// A log that has too much to do responds with a temporary status.
const retry = retryPolicy({ attempts: 5, firstDelayMs: 500, factor: 2 });

/**
 * Writes an entry to a log of version 2. The log responds when a signed checkpoint includes the entry, which
 * takes some seconds.
 *
 * The caller must verify that the entry is the proposed one, and that the log is trusted.
 *
 * @returns undefined if the log already has this entry, for example if a previous response was lost. The
 *   log cannot be asked for it, so the caller signs again: the new signature is another entry
 * @throws ServiceError
 * @see https://github.com/sigstore/rekor-tiles/blob/main/api/proto/rekor/v2/rekor_service.proto
 */
export async function writeRekorV2({
  http,
  context,
  url,
  entry,
}: RekorV2Request): Promise<BundledEntry | undefined> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const answer = await callService({
    ...{ http, service, context, headers, retry },
    method: "POST",
    url: `${url.replace(/\/+$/, "")}/api/v2/log/entries`,
    body: JSON.stringify(entry),
  });
  if (answer.status === 409) return undefined;
  if (answer.status !== 201 && answer.status !== 200) {
    throw refused("TRANSPARENCY_LOG", service, answer);
  }
  try {
    return readBundledEntry(JsonFields.of(parseJson(answer.body), "the response"));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ServiceError("TRANSPARENCY_LOG", `${service} did not return a log entry.`, error);
  }
}
