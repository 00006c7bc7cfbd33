import type { IncomingMessage } from "node:http";
import { parsedJson } from "../../core/json/plain-json";
import { HttpFailure } from "./answer";

/**
 * Reads a request's body into memory.
 *
 * @throws HttpFailure (413) when it is larger than `maxBytes`
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.byteLength;
    // Reads to the end: a client that is still writing would not receive the response.
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) {
    throw new HttpFailure(413, `the request body is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

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
  const value = parsedJson(body.toString("utf8"));
  if (value === undefined) throw new HttpFailure(400, "the request's body is not JSON");
  return value;
}

/** Reads a member at a path in JSON; undefined if an object or member does not exist. */
export function readField(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = Reflect.get(found, name);
  }
  return found;
}

/** Like {@link readField}, but returns "" if the member is not a string. */
export function readTextField(value: unknown, ...path: readonly string[]): string {
  const found = readField(value, ...path);
  return typeof found === "string" ? found : "";
}
