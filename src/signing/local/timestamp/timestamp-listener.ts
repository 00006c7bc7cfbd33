import type { AuthorityChain } from "../certificate/authority-chain";
import { answerBytes } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import { readBody } from "../../../local-service/read-body";
import { routes } from "../../../local-service/routes";
import type { Listener } from "../../../local-service/service";
import { parseTimestampRequest, writeRejection, writeTimestamp } from "./timestamp";

/** The path to which requests are posted. */
export const timestampPath = "/api/v1/timestamp";

/** The HTTP API of a timestamp authority (RFC 3161 §3.4). */
export function timestampListener(chain: AuthorityChain, now: () => Date): Listener {
  return routes("the timestamp authority", {
    [`GET ${timestampPath}/certchain`]: ({ response }) => {
      const type = { "content-type": "application/pem-certificate-chain" };
      answerBytes(response, 200, Buffer.from(chain.pem), type);
    },
    [`POST ${timestampPath}`]: async ({ request, response }) => {
      if (request.headers["content-type"] !== "application/timestamp-query") {
        throw new HttpFailure(415, "a request must have the type application/timestamp-query");
      }
      const [status, answer] = stamp(await readBody(request, 65_536), chain, now());
      answerBytes(response, status, answer, { "content-type": "application/timestamp-reply" });
    },
  });
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
