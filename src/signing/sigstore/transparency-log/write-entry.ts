import { createHash } from "node:crypto";
import type { HttpResponse } from "../../../http/client";
import { type AnsweredLogEntry, readLogAnswer } from "../format/log-entry";
import { refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";
import { type EntryRequest, requestLog } from "./log-request";

const service = "The transparency log";

/**
 * Writes an entry to a log, or reads it if it already exists.
 *
 * The caller must verify that the entry is the proposed one, and that the log is trusted.
 *
 * @throws ServiceError
 * @see https://www.sigstore.dev/swagger/
 */
export async function writeEntry({ entry, ...log }: EntryRequest): Promise<AnsweredLogEntry> {
  const written = await requestLog(log, service, "/api/v1/log/entries", entry);
  if (written.status === 201 || written.status === 200) return read(written);
  // The log already has this entry, for example if a previous response was lost.
  const uuid = written.status === 409 ? uuidIn(written) : undefined;
  if (uuid === undefined) throw refused("TRANSPARENCY_LOG", service, written);
  const found = await requestLog(log, service, `/api/v1/log/entries/${uuid}`);
  if (found.status !== 200) throw refused("TRANSPARENCY_LOG", service, found);
  return read(found, uuid);
}

/** Uses only the last part of the URL: the entry is read from the configured log. */
function uuidIn({ headers, body }: HttpResponse): string | undefined {
  const places = [headers["location"] ?? "", body.toString("utf8")];
  for (const place of places) {
    const uuid = /\/api\/v1\/log\/entries\/([\da-f]{64}|[\da-f]{80})\b/.exec(place)?.[1];
    if (uuid !== undefined) return uuid;
  }
  return undefined;
}

/** @param requested the requested UUID, if any */
function read({ body }: HttpResponse, requested = ""): AnsweredLogEntry {
  let entry: AnsweredLogEntry;
  try {
    entry = readLogAnswer(body);
  } catch (error) {
    throw new ServiceError("TRANSPARENCY_LOG", `${service} did not return a log entry.`, error);
  }
  const leaf = createHash("sha256").update(Buffer.of(0)).update(entry.body).digest("hex");
  // A UUID may begin with the ID of the tree.
  const names = [entry.uuid, requested].filter((name) => name !== "");
  if (names.every((name) => name.endsWith(leaf))) return entry;
  throw new ServiceError(
    "TRANSPARENCY_LOG",
    `${service} returned an entry whose UUID does not match its content.`,
  );
}
