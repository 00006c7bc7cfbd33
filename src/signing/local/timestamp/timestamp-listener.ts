import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthorityChain } from "../certificate/authority-chain";
import { answerBytes } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import { readBody } from "../../../local-service/read-body";
import type { Listener } from "../../../local-service/service";
import { parseTimestampRequest } from "./timestamp-request";
import { writeRejection, writeTimestamp } from "./write-timestamp";

/** The path to which requests are posted. */
export const timestampPath = "/api/v1/timestamp";

/** The HTTP API of a timestamp authority (RFC 3161 §3.4). */
export function timestampListener(chain: AuthorityChain, now: () => Date): Listener {
  return (request, response) => serve(chain, now, request, response);
}

async function serve(
  chain: AuthorityChain,
  now: () => Date,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (request.method === "GET" && pathname === `${timestampPath}/certchain`) {
    const type = { "content-type": "application/pem-certificate-chain" };
    answerBytes(response, 200, Buffer.from(chain.pem), type);
    return;
  }
  if (request.method !== "POST" || pathname !== timestampPath) {
    throw new HttpFailure(404, "the timestamp authority has no such path");
  }
  if (request.headers["content-type"] !== "application/timestamp-query") {
    throw new HttpFailure(415, "a request is of the type application/timestamp-query");
  }
  const [status, answer] = stamp(await readBody(request, 65_536), chain, now());
  answerBytes(response, status, answer, { "content-type": "application/timestamp-reply" });
}

function stamp(request: Buffer, chain: AuthorityChain, now: Date): readonly [number, Buffer] {
  let parsed;
  try {
    parsed = parseTimestampRequest(request);
  } catch (failure) {
    const problem = failure instanceof Error ? failure.message : "the request is malformed";
    return [400, writeRejection(problem)];
  }
  return [201, writeTimestamp(parsed, chain, now)];
}
