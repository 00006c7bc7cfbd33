import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { algorithmOf, type Digest } from "../../../core/signing/oci/reference/descriptor";
import { answerEmpty } from "../../service/answer";
import type { BlobStore, ManifestStore } from "./manifest-store";
import type { RegistryBehavior } from "./quirks";
import { checkDigest, checkRepository, registryFailure } from "./registry-failure";
import type { OpenUploads, Upload } from "./uploads";

export interface RegistryState {
  readonly blobs: BlobStore;
  readonly manifests: ManifestStore;
  readonly uploads: OpenUploads;
  readonly behavior: RegistryBehavior;
  readonly maxManifestBytes: number;
  readonly log: (line: string) => void;
}

export interface RegistryCall {
  readonly registry: RegistryState;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly repository: string;
  /** The last part of the path: a digest, a tag, or the ID of an upload. */
  readonly target: string;
}

/** `/v2/<name>/blobs/<digest>` */
export async function blobCall(call: RegistryCall): Promise<void> {
  const { registry, method, repository, response } = call;
  const digest = checkDigest(call.target);
  const size = await registry.blobs.size(repository, digest);
  if (size === undefined) {
    throw registryFailure("BLOB_UNKNOWN", "the repository does not have this blob");
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
  if (method !== "GET") throw registryFailure("UNSUPPORTED", "a blob can only be read or deleted");
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

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header: undefined for the whole blob (RFC 9110 lets a server ignore a range that it does not
 * understand), "unsatisfiable" if the blob has none of its bytes.
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

/** `POST /v2/<name>/blobs/uploads/`: a mount, a whole blob, or the start of an upload. */
export async function startUpload(call: RegistryCall): Promise<void> {
  const { registry, query, repository } = call;
  if (call.method !== "POST") throw registryFailure("UNSUPPORTED", "uploads start with POST");
  const [mount, from] = [query.get("mount"), query.get("from")];
  if (mount !== null && from !== null) {
    const digest = checkDigest(mount);
    if ((await registry.blobs.size(checkRepository(from), digest)) !== undefined) {
      await registry.blobs.mount(repository, digest);
      registry.log(`mounted a blob of ${from} in ${repository}: ${digest}`);
      answerCreated(call, digest);
      return;
    }
    // The blob cannot be mounted: by the specification, this starts an ordinary upload.
  }
  const upload = await registry.uploads.start(repository);
  if (!query.has("digest")) {
    answerProgress(call, upload, 202);
    return;
  }
  try {
    await finish(call, upload);
  } catch (failure) {
    // The client never received the upload's URL.
    await registry.uploads.cancel(upload);
    throw failure;
  }
}

/** `/v2/<name>/blobs/uploads/<id>`: appends to an upload, completes it, reports its progress, or cancels it. */
export async function continueUpload(call: RegistryCall): Promise<void> {
  const { registry, request } = call;
  const upload = registry.uploads.find(call.target);
  if (upload?.repository !== call.repository) {
    throw registryFailure("BLOB_UPLOAD_UNKNOWN", "the repository has no such upload");
  }
  switch (call.method) {
    case "GET":
      answerProgress(call, upload, 204);
      return;
    case "PATCH":
      checkPosition(call, upload);
      await registry.uploads.append(upload, request);
      answerProgress(call, upload, 202);
      return;
    case "PUT":
      checkPosition(call, upload);
      await finish(call, upload);
      return;
    case "DELETE":
      await registry.uploads.cancel(upload);
      answerEmpty(call.response, 204);
      return;
    default:
      throw registryFailure("UNSUPPORTED", "an upload does not support this method");
  }
}

/** A chunk must begin where the upload ends. */
function checkPosition(call: RegistryCall, upload: Upload): void {
  const header = call.request.headers["content-range"];
  if (header === undefined) return;
  const [, start] = /^(?:bytes )?(\d+)-\d+(?:\/.*)?$/.exec(header) ?? [];
  if (start === undefined || Number(start) !== upload.size) {
    const message = `the upload continues at byte ${upload.size}`;
    throw registryFailure("BLOB_UPLOAD_INVALID", message, progress(call, upload));
  }
}

async function finish(call: RegistryCall, upload: Upload): Promise<void> {
  const { registry, repository } = call;
  const wanted = checkDigest(call.query.get("digest") ?? "");
  await registry.uploads.append(upload, call.request);
  // The upload's URL is invalid from now on: more bytes cannot fix a wrong digest.
  registry.uploads.end(upload);
  const found = await upload.digest(algorithmOf(wanted));
  if (found !== wanted) {
    await upload.discard();
    throw registryFailure("DIGEST_INVALID", `the content of the blob has digest ${found}`);
  }
  await registry.blobs.adopt(repository, found, upload.file);
  registry.log(`stored a blob of ${repository}: ${found}, ${upload.size} bytes`);
  answerCreated(call, found);
}

function answerCreated(call: RegistryCall, digest: Digest): void {
  answerEmpty(call.response, 201, {
    location: `/v2/${call.repository}/blobs/${digest}`,
    "docker-content-digest": digest,
  });
}

function answerProgress(call: RegistryCall, upload: Upload, status: number): void {
  answerEmpty(call.response, status, progress(call, upload));
}

function progress(call: RegistryCall, upload: Upload) {
  return {
    location: `/v2/${call.repository}/blobs/uploads/${upload.id}`,
    range: `0-${Math.max(0, upload.size - 1)}`,
    "docker-upload-uuid": upload.id,
  };
}
