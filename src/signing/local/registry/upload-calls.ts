import { answerEmpty } from "../../../local-service/answer";
import type { RegistryCall } from "./registry-call";
import { RegistryFailure } from "./registry-failure";
import { algorithmOf, checkDigest, checkRepository, type Digest } from "./registry-name";
import type { Upload } from "./upload";

/** `POST /v2/<name>/blobs/uploads/`: a mount, a whole blob, or the start of an upload. */
export async function startUpload(call: RegistryCall): Promise<void> {
  const { registry, query, repository } = call;
  if (call.method !== "POST") throw new RegistryFailure("UNSUPPORTED", "uploads start with POST");
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
  const [id, upload] = await registry.uploads.start(repository);
  if (!query.has("digest")) {
    answerProgress(call, id, upload, 202);
    return;
  }
  try {
    await finish(call, id, upload);
  } catch (failure) {
    // The client never received the upload's URL.
    registry.uploads.end(id);
    await upload.discard();
    throw failure;
  }
}

/** `/v2/<name>/blobs/uploads/<id>`: appends to an upload, completes it, reports its progress, or cancels it. */
export async function continueUpload(call: RegistryCall): Promise<void> {
  const { registry, request, target: id } = call;
  const upload = registry.uploads.find(id);
  if (upload?.repository !== call.repository) {
    throw new RegistryFailure("BLOB_UPLOAD_UNKNOWN", "the repository has no such upload");
  }
  switch (call.method) {
    case "GET":
      answerProgress(call, id, upload, 204);
      return;
    case "PATCH":
      checkPosition(call, id, upload);
      await registry.uploads.append(id, upload, request);
      answerProgress(call, id, upload, 202);
      return;
    case "PUT":
      checkPosition(call, id, upload);
      await finish(call, id, upload);
      return;
    case "DELETE":
      registry.uploads.end(id);
      await upload.discard();
      answerEmpty(call.response, 204);
      return;
    default:
      throw new RegistryFailure("UNSUPPORTED", "this cannot be done with an upload");
  }
}

/** A chunk must begin where the upload ends. */
function checkPosition(call: RegistryCall, id: string, upload: Upload): void {
  const header = call.request.headers["content-range"];
  if (header === undefined) return;
  const [, start] = /^(?:bytes )?(\d+)-\d+(?:\/.*)?$/.exec(header) ?? [];
  if (start === undefined || Number(start) !== upload.size) {
    const message = `the upload continues at byte ${upload.size}`;
    throw new RegistryFailure("BLOB_UPLOAD_INVALID", message, progress(call, id, upload));
  }
}

async function finish(call: RegistryCall, id: string, upload: Upload): Promise<void> {
  const { registry, repository } = call;
  const wanted = checkDigest(call.query.get("digest") ?? "");
  await registry.uploads.append(id, upload, call.request);
  // The upload's URL is invalid from now on: more bytes cannot fix a wrong digest.
  registry.uploads.end(id);
  const found = await upload.digest(algorithmOf(wanted));
  if (found !== wanted) {
    await upload.discard();
    throw new RegistryFailure("DIGEST_INVALID", `the content of the blob has digest ${found}`);
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

function answerProgress(call: RegistryCall, id: string, upload: Upload, status: number): void {
  answerEmpty(call.response, status, progress(call, id, upload));
}

function progress(call: RegistryCall, id: string, upload: Upload) {
  return {
    location: `/v2/${call.repository}/blobs/uploads/${id}`,
    range: `0-${Math.max(0, upload.size - 1)}`,
    "docker-upload-uuid": id,
  };
}
