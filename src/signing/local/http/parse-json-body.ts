import type { IncomingMessage } from "node:http";
import { HttpFailure } from "../../../local-service/http-failure";
import { readBody } from "../../../local-service/read-body";

/**
 * Parses the JSON body of a request.
 *
 * @throws HttpFailure (400, 413)
 */
export async function parseJsonBody(
  request: IncomingMessage,
  maxBytes = 1_000_000,
): Promise<unknown> {
  const body = await readBody(request, maxBytes);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new HttpFailure(400, "the request's body is not JSON");
  }
}
