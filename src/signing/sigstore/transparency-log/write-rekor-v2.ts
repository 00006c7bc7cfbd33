import { JsonError } from "../../../json/json-error";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { readBundledEntry, type BundledEntry } from "../format/bundle";
import { refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";
import { type EntryRequest, requestLog } from "./log-request";

const service = "The transparency log (Rekor v2)";

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
  entry,
  ...log
}: EntryRequest): Promise<BundledEntry | undefined> {
  const answer = await requestLog(log, service, "/api/v2/log/entries", entry);
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
