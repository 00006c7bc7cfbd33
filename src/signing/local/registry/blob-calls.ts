import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { answerEmpty } from "../../../local-service/answer";
import type { RegistryCall } from "./registry-call";
import { RegistryFailure } from "./registry-failure";
import { checkDigest } from "./registry-name";

/** `/v2/<name>/blobs/<digest>` */
export async function blobCall(call: RegistryCall): Promise<void> {
  const { registry, method, repository, response } = call;
  const digest = checkDigest(call.target);
  const size = await registry.blobs.size(repository, digest);
  if (size === undefined) {
    throw new RegistryFailure("BLOB_UNKNOWN", "the repository does not have this blob");
  }
  if (method === "DELETE") {
    await registry.blobs.remove(repository, digest);
    registry.log(`deleted a blob of ${repository}: ${digest}`);
    answerEmpty(response, 202);
    return;
  }
  const headers = {
    "accept-ranges": "bytes",
    "content-type": "application/octet-stream",
    "docker-content-digest": digest,
  };
  if (method === "HEAD") {
    response.writeHead(200, { ...headers, "content-length": String(size) }).end();
    return;
  }
  if (method !== "GET") throw new RegistryFailure("UNSUPPORTED", "a blob is read or deleted");
  const range = parseByteRange(call.request.headers.range, size);
  if (range === "unsatisfiable") {
    response.writeHead(416, { "content-range": `bytes */${size}`, "content-length": "0" }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    "content-length": String(end - start + 1),
    ...(range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }),
  });
  if (size === 0) {
    response.end();
    return;
  }
  const file = createReadStream(registry.blobs.file(digest), {
    start,
    end,
    highWaterMark: 1 << 20,
  });
  await pipeline(file, response);
}

/** A byte range, including both ends. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a Range header: undefined for all of it (RFC 9110 lets a server ignore what it does not
 * know), "unsatisfiable" when nothing of it exists.
 */
function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "") {
    if (last === "") return undefined;
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}
