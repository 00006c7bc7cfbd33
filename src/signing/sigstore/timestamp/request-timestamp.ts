import { createHash, randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { serverMessage } from "../../../http/server-message";
import { DerElement } from "../der/der-element";
import { DerTag } from "../der/der-tag";
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
import { ask, refused } from "../service/ask";
import { ServiceError } from "../service/service-error";

export interface TimestampRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** The whole address that requests are posted to. */
  readonly url: string;
  /** What existed at the time: a signature. */
  readonly content: Uint8Array;
  /** @default random */
  readonly nonce?: Uint8Array | undefined;
}

const service = "The time-stamp authority";
const sha256 = "2.16.840.1.101.3.4.2.1";

/**
 * Has an authority say that content existed by now (RFC 3161).
 *
 * @returns the whole answer, as it is stored beside a signature; whether it is to be trusted, and is of
 *   this content, is verified with the signature
 * @throws ServiceError
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
  const body = derSequence(derInteger(1), imprint, derUnsigned(nonce), derBoolean(true));
  const headers = { "content-type": "application/timestamp-query" };
  const answer = await ask({ http, service, context, method: "POST", url, headers, body });
  const said = readStatus(answer.body);
  const isAnswer = answer.status === 200 || answer.status === 201;
  if (isAnswer && (said?.status === 0n || said?.status === 1n)) return answer.body;
  if (said !== undefined) {
    const words = said.words === "" ? "" : `: "${said.words}"`;
    throw new ServiceError("TIME_STAMP", `${service} refused (status ${said.status})${words}`);
  }
  if (!isAnswer) throw refused("TIME_STAMP", service, answer);
  const problem = "answered with something else than a time-stamp";
  throw new ServiceError("TIME_STAMP", `${service} ${problem}.`);
}

/** Granted is 0, granted with modifications 1; the words, if there are any, are in UTF-8. */
function readStatus(
  answer: Buffer,
): { readonly status: bigint; readonly words: string } | undefined {
  try {
    const [info] = DerElement.read(answer).sequence();
    const [status, words] = info?.sequence() ?? [];
    if (status === undefined) return undefined;
    const texts = words?.tag === DerTag.sequence ? words.sequence().map(readText) : [];
    return { status: readInteger(status), words: serverMessage(texts.join(" ")) };
  } catch {
    return undefined;
  }
}
