import { createHash } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { HttpAnswer, HttpClient } from "../../../http/client";
import { retryPolicy } from "../../../http/retry-policy";
import { type AnsweredLogEntry, readLogAnswer } from "../format/log-entry";
import { ask, refused } from "../service/ask";
import { ServiceError } from "../service/service-error";

export interface EntryRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** Base address of the log. */
  readonly url: string;
  /** The proposed entry: kind, apiVersion and spec. */
  readonly entry: object;
}

const service = "The transparency log";

/** Public logs limit how often they are written to, and say so with a status that passes. */
const retry = retryPolicy({ attempts: 5, firstDelayMs: 500, factor: 2 });

/**
 * Writes an entry into a log, or finds it there.
 *
 * That the entry is the one proposed, and the log to be trusted, is the caller's to verify.
 *
 * @throws ServiceError
 */
export async function writeEntry({
  http,
  context,
  url,
  entry,
}: EntryRequest): Promise<AnsweredLogEntry> {
  const base = url.replace(/\/+$/, "");
  const headers = { "content-type": "application/json", accept: "application/json" };
  const written = await ask({
    ...{ http, service, context, headers, retry },
    method: "POST",
    url: `${base}/api/v1/log/entries`,
    body: JSON.stringify(entry),
  });
  if (written.status === 201 || written.status === 200) return read(written);
  // The log has the same entry already, as after a repeated request whose answer was lost.
  const uuid = written.status === 409 ? uuidIn(written) : undefined;
  if (uuid === undefined) throw refused("TRANSPARENCY_LOG", service, written);
  const found = await ask({
    ...{ http, service, context, headers, retry },
    method: "GET",
    url: `${base}/api/v1/log/entries/${uuid}`,
  });
  if (found.status !== 200) throw refused("TRANSPARENCY_LOG", service, found);
  return read(found, uuid);
}

/** Only the last part of the address is believed: the log is asked where we know it. */
function uuidIn({ headers, body }: HttpAnswer): string | undefined {
  const places = [headers["location"] ?? "", body.toString("utf8")];
  for (const place of places) {
    const uuid = /\/api\/v1\/log\/entries\/([\da-f]{64}|[\da-f]{80})\b/.exec(place)?.[1];
    if (uuid !== undefined) return uuid;
  }
  return undefined;
}

/** @param asked the name that an entry was asked for by */
function read({ body }: HttpAnswer, asked = ""): AnsweredLogEntry {
  let entry: AnsweredLogEntry;
  try {
    entry = readLogAnswer(body);
  } catch (error) {
    throw new ServiceError("TRANSPARENCY_LOG", `${service}'s answer is no entry of a log.`, error);
  }
  const leaf = createHash("sha256").update(Buffer.of(0)).update(entry.body).digest("hex");
  // With or without the number of the tree before it.
  const names = [entry.uuid, asked].filter((name) => name !== "");
  if (names.every((name) => name.endsWith(leaf))) return entry;
  throw new ServiceError(
    "TRANSPARENCY_LOG",
    `${service} answered with an entry under another name than that of its content.`,
  );
}
