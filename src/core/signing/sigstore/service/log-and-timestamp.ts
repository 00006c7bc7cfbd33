import { createHash, randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient, HttpResponse } from "../../../http/client";
import { retryPolicy } from "../../../http/retry";
import { serverMessage } from "../../../http/server-message";
import { JsonFields, parseJson } from "../../../json/parse-json";
import { DerElement, DerTag } from "../der/der-element";
import { readInteger, readText } from "../der/read-value";
import {
  derBoolean,
  derInteger,
  derNull,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derUnsigned,
} from "../der/write-der";
import { type BundledEntry, readBundledEntry } from "../format/bundle";
import { type AnsweredLogEntry, readLogAnswer } from "../format/log-entry";
import { leafHash } from "../verification/inclusion-proof";
import { readTimestamp } from "../verification/timestamp-token";
import { callService, isSuccess, refused, serviceError } from "./call-service";

interface EntryRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  readonly url: string;
  /** The proposed entry, in the format of the log's version. */
  readonly entry: object;
}

/** The log's name at the start of messages. */
const names = { v1: "The transparency log", v2: "The transparency log (Rekor v2)" } as const;

/**
 * Writes an entry to a log, or reads it if it already exists.
 *
 * The caller must verify that the entry is the proposed one, and that the log is trusted.
 *
 * @throws ServiceError
 * @see https://www.sigstore.dev/swagger/
 */
export async function writeEntry({ entry, ...log }: EntryRequest): Promise<AnsweredLogEntry> {
  const written = await requestLog(log, "v1", "", entry);
  if (isSuccess(written)) return readEntry(written.body);
  // The log already has this entry, for example if a previous response was lost.
  const uuid = written.status === 409 ? uuidIn(written) : undefined;
  if (uuid === undefined) throw refused("TRANSPARENCY_LOG", names.v1, written);
  const found = await requestLog(log, "v1", `/${uuid}`);
  if (found.status !== 200) throw refused("TRANSPARENCY_LOG", names.v1, found);
  return readEntry(found.body, uuid);
}

/**
 * Writes an entry to a log of version 2. The log responds when a signed checkpoint includes the entry, which
 * takes some seconds.
 *
 * The caller must verify that the entry is the proposed one, and that the log is trusted.
 *
 * @returns undefined if the log already has this entry, for example if a previous response was lost. The log does not return
 *   existing entries, so the caller signs again: the new signature is another entry
 * @throws ServiceError
 * @see https://github.com/sigstore/rekor-tiles/blob/main/api/proto/rekor/v2/rekor_service.proto
 */
export async function writeRekorV2({
  entry,
  ...log
}: EntryRequest): Promise<BundledEntry | undefined> {
  const answer = await requestLog(log, "v2", "", entry);
  if (answer.status === 409) return undefined;
  if (!isSuccess(answer)) throw refused("TRANSPARENCY_LOG", names.v2, answer);
  return readAnswer("v2", () =>
    readBundledEntry(JsonFields.of(parseJson(answer.body), "the response")),
  );
}

// Public logs limit the rate of writes with a temporary status.
const retry = retryPolicy({ attempts: 5, firstDelayMs: 500, factor: 2 });

/** Sends a request to a log; with a body, it is a POST request. */
function requestLog(
  { http, context, url }: Omit<EntryRequest, "entry">,
  version: keyof typeof names,
  path: string,
  body?: object,
): Promise<HttpResponse> {
  return callService({
    http,
    service: names[version],
    context,
    retry,
    headers: { "content-type": "application/json", accept: "application/json" },
    method: body === undefined ? "GET" : "POST",
    url: `${url.replace(/\/+$/, "")}/api/${version}/log/entries${path}`,
    body: body && JSON.stringify(body),
  });
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
function readEntry(body: Buffer, requested?: string): AnsweredLogEntry {
  const entry = readAnswer("v1", () => readLogAnswer(body));
  const leaf = leafHash(entry.body).toString("hex");
  // A UUID may begin with the ID of the tree.
  if ([entry.uuid, requested ?? leaf].every((uuid) => uuid.endsWith(leaf))) return entry;
  throw serviceError(
    "TRANSPARENCY_LOG",
    `${names.v1} returned an entry whose UUID does not match its content.`,
  );
}

function readAnswer<T>(version: keyof typeof names, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = `${names[version]} did not return a log entry.`;
    throw serviceError("TRANSPARENCY_LOG", message, { cause: error });
  }
}

interface TimestampRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** The full URL to which requests are posted. */
  readonly url: string;
  /** The content to timestamp: a signature. */
  readonly content: Uint8Array;
  /** @default random */
  readonly nonce?: Uint8Array | undefined;
}

const authority = "The timestamp authority";
const sha256 = "2.16.840.1.101.3.4.2.1";

/**
 * Requests a timestamp (RFC 3161) for content.
 *
 * @returns the full response, as it is stored with a signature. Only its nonce is compared here. The rest is verified with the
 *   signature.
 * @throws ServiceError
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4
 */
export async function requestTimestamp({
  http,
  context,
  url,
  content,
  nonce = randomBytes(16),
}: TimestampRequest): Promise<Buffer> {
  const digest = createHash("sha256").update(content).digest();
  const imprint = derSequence(
    derSequence(derObjectIdentifier(sha256), derNull()),
    derOctetString(digest),
  );
  const number = derUnsigned(nonce);
  const body = derSequence(derInteger(1), imprint, number, derBoolean(true));
  const headers = { "content-type": "application/timestamp-query" };
  const answer = await callService({
    http,
    service: authority,
    context,
    method: "POST",
    url,
    headers,
    body,
  });
  const result = readStatus(answer.body);
  if (isSuccess(answer) && (result?.status === 0n || result?.status === 1n)) {
    if (!hasOtherNonce(answer.body, number)) return answer.body;
    throw serviceError("TIMESTAMP", `${authority} returned the timestamp of another request.`);
  }
  if (result !== undefined) {
    const quoted = result.message === "" ? "" : `: "${result.message}"`;
    throw serviceError("TIMESTAMP", `${authority} refused (status ${result.status})${quoted}`);
  }
  if (!isSuccess(answer)) throw refused("TIMESTAMP", authority, answer);
  throw serviceError("TIMESTAMP", `${authority} did not return a timestamp.`);
}

/** False for a response that cannot be read: the verification of the signature refuses it. */
function hasOtherNonce(response: Buffer, nonce: Buffer): boolean {
  try {
    return readTimestamp(response).nonce?.equals(nonce) !== true;
  } catch {
    return false;
  }
}

/** Reads PKIStatusInfo: 0 is granted, 1 granted with modifications. The message may be empty. */
function readStatus(
  answer: Buffer,
): { readonly status: bigint; readonly message: string } | undefined {
  try {
    const [info] = DerElement.read(answer).sequence();
    const [status, freeText] = info?.sequence() ?? [];
    if (status === undefined) return undefined;
    const lines = freeText?.tag === DerTag.sequence ? freeText.sequence().map(readText) : [];
    return { status: readInteger(status), message: serverMessage(lines.join(" ")) };
  } catch {
    return undefined;
  }
}
