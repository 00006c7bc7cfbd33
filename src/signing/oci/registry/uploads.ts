import type { CallContext } from "../../../http/call-context";
import type { HttpResponse } from "../../../http/client";
import type { Clock } from "../../../http/clock";
import { redirectProblem } from "../../../http/redirect";
import { type Backoff, backoffMs, repeat } from "../../../http/repeat";
import { noRetry } from "../../../http/retry-policy";
import { algorithmOf, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import type { BlobName, Blobs } from "./blobs";
import type { Descriptor } from "../protocol/descriptor";
import { digestOf } from "../reference/digest-of";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

/** Content that can be opened again if an upload is repeated. */
interface BlobContent extends BlobName {
  open(): Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>;
}

/** The settings of {@link createUploads}. */
interface UploadSettings {
  readonly calls: RegistryCalls;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly random: () => number;
}

const attempts = 3;
const backoff: Backoff = { firstMs: 1_000, factor: 3, jitter: 0.5 };

/**
 * Creates the client for uploads.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pushing-blobs
 */
export function createUploads({ calls, blobs, clock, random }: UploadSettings) {
  async function upload(repository: Repository, content: BlobContent, context: CallContext) {
    const { digest, size } = content;
    const algorithm = algorithmOf(digest);
    const begun = await calls.request({
      repository,
      method: "POST",
      path: "blobs/uploads/",
      // Lets the registry hash the content while it arrives.
      ...(algorithm === "sha256" ? {} : { query: { "digest-algorithm": algorithm } }),
      headers: { "content-length": "0" },
      actions: "pull,push",
      context,
      maxBytes: 65_536,
    });
    if (begun.status !== 202) throw begun.refusal();
    let sourceFailure: unknown;
    const sending = calls.request({
      repository,
      method: "PUT",
      path: locationOf(begun, repository),
      query: { digest },
      headers: { "content-type": "application/octet-stream", "content-length": String(size) },
      // Opened only when the request is sent: it may fail before.
      body: () =>
        opened(content, (failure) => {
          sourceFailure = failure;
        }),
      actions: "pull,push",
      context,
      maxBytes: 65_536,
      // After a failure, the state of the session is unknown: another attempt needs a new session.
      retry: noRetry,
    });
    // If the content could not be read, that is the cause, not the aborted request.
    const answer = await sending.catch((failure: unknown) => {
      throw sourceFailure ?? failure;
    });
    if (answer.status !== 201 && answer.status !== 204) throw answer.refusal();
  }

  async function push(repository: Repository, content: BlobContent, context: CallContext) {
    const { failure } = await repeat<{ readonly failure?: RegistryError }>({
      context,
      clock,
      random,
      async attempt(number) {
        // Perhaps only the response was lost.
        if (number > 1 && (await blobs.has(repository, content.digest, context))) return {};
        try {
          await upload(repository, content, context);
          return {};
        } catch (failure) {
          if (!(failure instanceof RegistryError) || !failure.isTemporary) throw failure;
          return { failure };
        }
      },
      waitMs: ({ failure }, attempt) =>
        failure !== undefined && attempt.number < attempts
          ? backoffMs(backoff, attempt)
          : undefined,
    });
    if (failure !== undefined) throw failure;
  }

  return {
    /** Streams content to the registry, with constant memory. Repeats after temporary failures. */
    push,

    /** Uploads bytes, unless the repository already contains them. */
    async put(
      repository: Repository,
      bytes: Uint8Array,
      context: CallContext,
    ): Promise<Descriptor> {
      const digest = digestOf(bytes);
      const size = bytes.byteLength;
      if (!(await blobs.has(repository, digest, context))) {
        await push(repository, { digest, size, open: () => once(bytes) }, context);
      }
      return { mediaType: "application/octet-stream", digest, size };
    },

    /** Mounts a blob from another repository of the same registry; false if the registry does not do that. */
    async mount(
      repository: Repository,
      digest: Digest,
      from: Repository,
      context: CallContext,
    ): Promise<boolean> {
      const answer = await calls.request({
        repository,
        method: "POST",
        path: "blobs/uploads/",
        query: { mount: digest, from: from.path },
        headers: { "content-length": "0" },
        actions: "pull,push",
        alsoReads: from,
        context,
        maxBytes: 65_536,
      });
      if (answer.status === 201) return true;
      if (answer.status !== 202) {
        const error = answer.refusal();
        // If the other repository is not accessible, the caller uploads the blob instead.
        if (error.isTemporary || error.status >= 500 || error.status < 400) throw error;
        return false;
      }
      await cancel(calls, repository, answer, context);
      return false;
    },
  };
}

/** The client for uploads. */
export type Uploads = ReturnType<typeof createUploads>;

/** Cancels an upload that is not needed. Failures do not matter: registries clean up old uploads. */
async function cancel(
  calls: RegistryCalls,
  repository: Repository,
  begun: HttpResponse,
  context: CallContext,
): Promise<void> {
  const path = locationOf(begun, repository);
  const actions = "pull,push";
  await calls
    .request({
      repository,
      method: "DELETE",
      path,
      actions,
      context,
      maxBytes: 65_536,
      retry: noRetry,
    })
    .catch(() => undefined);
}

function locationOf({ headers, url }: HttpResponse, repository: Repository): URL {
  const name = formatRepository(repository);
  const location = headers["location"];
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw new RegistryError({
      code: "MALFORMED_ANSWER",
      message: `the registry returned no URL for an upload to ${name}`,
    });
  }
  const target = new URL(location, url);
  const problem = redirectProblem(url, target);
  if (problem === undefined && target.username === "" && target.password === "") return target;
  throw new RegistryError({
    code: "UNSAFE",
    message: `an upload to ${name} ${problem ?? "was directed to a URL with credentials"}; nothing was sent there`,
  });
}

async function* opened(
  content: BlobContent,
  onFailure: (failure: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* await content.open();
  } catch (failure) {
    onFailure(failure);
    throw failure;
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}
