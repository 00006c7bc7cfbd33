import { createHash, randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { serverMessage } from "../../../http/server-message";
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
import { readTimestamp } from "../verification/timestamp-token";
import { callService, isSuccess, refused, ServiceError } from "./call-service";

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

const service = "The timestamp authority";
const sha256 = "2.16.840.1.101.3.4.2.1";

/**
 * Requests a timestamp (RFC 3161) for content.
 *
 * @returns the full response, as it is stored with a signature. Of its content, only the nonce is compared here. The
 *   rest is verified together with the signature.
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
  const answer = await callService({ http, service, context, method: "POST", url, headers, body });
  const result = readStatus(answer.body);
  if (isSuccess(answer) && (result?.status === 0n || result?.status === 1n)) {
    if (!hasOtherNonce(answer.body, number)) return answer.body;
    throw new ServiceError("TIMESTAMP", `${service} returned the timestamp of another request.`);
  }
  if (result !== undefined) {
    const quoted = result.message === "" ? "" : `: "${result.message}"`;
    throw new ServiceError("TIMESTAMP", `${service} refused (status ${result.status})${quoted}`);
  }
  if (!isSuccess(answer)) throw refused("TIMESTAMP", service, answer);
  throw new ServiceError("TIMESTAMP", `${service} did not return a timestamp.`);
}

/** A response that cannot be read has none: it is refused with the signature. */
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
