import { createHash } from "node:crypto";
import type { CallContext, ClientLog, Clock } from "../../../http/call-context";
import { freeingChunks } from "../../../process/free-chunks";
import { algorithmOf, type Digest, digestOf, type Descriptor } from "../reference/descriptor";
import { formatRepository, type Repository } from "../reference/image-name";
import { maxAttachedBytes } from "./manifests";
import type { RegistryCalls } from "./registry-call";
import { lastOf, RegistryError, registryRetry, wrongContent } from "./registry-error";
import type { HttpResponse } from "../../../http/client";
import { redirectProblem } from "../../../http/redirect";
import { noRetry, repeat, type RetryPolicy } from "../../../http/retry";

export type BlobName = Pick<Descriptor, "digest" | "size">;

/**
 * The client for blobs.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-blobs
 */
export class Blobs {
  readonly #calls: RegistryCalls;

  constructor(calls: RegistryCalls) {
    this.#calls = calls;
  }

  /** Reads a whole blob, and verifies its size and digest. */
  async get(repository: Repository, blob: BlobName, context: CallContext): Promise<Buffer> {
    refuseLarge(repository, blob);
    const content = await this.stream(repository, blob, context);
    return collected(content, blob.size);
  }

  /** Streams a blob. Throws `WRONG_CONTENT` before the last chunk if it does not match its digest. */
  async stream(
    repository: Repository,
    blob: BlobName,
    context: CallContext,
  ): Promise<AsyncGenerator<Uint8Array>> {
    const place = `the blob ${formatRepository(repository)}@${blob.digest}`;
    const answer = await this.#calls.open({
      repository,
      method: "GET",
      path: `blobs/${blob.digest}`,
      context,
      expected: [200],
      maxBytes: blob.size,
      redirects: "follow",
    });
    const announced = answer.headers["content-length"];
    if (announced !== undefined && Number(announced) !== blob.size) {
      answer.discard();
      throw wrongContent(place, `it announces ${Number(announced)} bytes, expected ${blob.size}`);
    }
    return checkedContent(answer.body, blob, place);
  }

  /** Checks whether the repository contains a blob. A registry is trusted about its size. */
  async has(repository: Repository, { digest }: BlobName, context: CallContext): Promise<boolean> {
    const { status } = await this.#calls.request({
      repository,
      method: "HEAD",
      path: `blobs/${digest}`,
      context,
      expected: [200, 404],
      redirects: "follow",
    });
    return status === 200;
  }
}

/** Refuses a blob that is too large for memory. */
export function refuseLarge(repository: Repository, { digest, size }: BlobName): void {
  if (size <= maxAttachedBytes) return;
  throw new RegistryError(
    "TOO_LARGE",
    `the blob ${formatRepository(repository)}@${digest} has ${size} bytes, more than the maximum of ${maxAttachedBytes}`,
  );
}

/** Collects content whose size is known: joining the chunks at the end would need twice the memory. */
export async function collected(content: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let received = 0;
  for await (const chunk of content) {
    bytes.set(chunk, received);
    received += chunk.byteLength;
  }
  return bytes;
}

/** The calls about blobs, however the registry stores them. */
export type BlobCalls = Pick<Blobs, keyof Blobs>;

/**
 * Passes on content, and checks its size and digest before the last chunk, so that a consumer never completes
 * a wrong copy. Memory use is constant.
 */
export async function* checkedContent(
  source: AsyncIterable<Uint8Array>,
  { digest, size }: BlobName,
  place: string,
): AsyncGenerator<Uint8Array> {
  const algorithm = algorithmOf(digest);
  const hash = createHash(algorithm);
  let received = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of freeingChunks(source)) {
    received += chunk.byteLength;
    if (received > size) throw wrongContent(place, `it has more than the expected ${size} bytes`);
    hash.update(chunk);
    if (held !== undefined) yield held;
    held = chunk;
  }
  if (received !== size) throw wrongContent(place, `it has ${received} bytes, expected ${size}`);
  const found = `${algorithm}:${hash.digest("hex")}`;
  if (found !== digest) throw wrongContent(place, `its digest is ${found}`);
  if (held !== undefined) yield held;
}

/** Content that can be opened again if an upload is repeated. */
interface BlobContent extends BlobName {
  open(): AsyncIterable<Uint8Array>;
}

interface UploadSettings {
  readonly calls: RegistryCalls;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log?: ClientLog | undefined;
}

interface UploadEnd {
  readonly failure?: RegistryError;
  /** Milliseconds to wait before the next attempt. @default no further attempt */
  readonly waitMs?: number | undefined;
}

/**
 * The client for uploads.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pushing-blobs
 */
export class Uploads {
  readonly #settings: UploadSettings;

  constructor(settings: UploadSettings) {
    this.#settings = settings;
  }

  /** Uploads bytes, unless the repository already contains them. */
  async put(repository: Repository, bytes: Uint8Array, context: CallContext): Promise<Descriptor> {
    const digest = digestOf(bytes);
    const size = bytes.byteLength;
    if (!(await this.#settings.blobs.has(repository, { digest, size }, context))) {
      await this.push(repository, { digest, size, open: () => once(bytes) }, context);
    }
    return { mediaType: "application/octet-stream", digest, size };
  }

  /** Streams content to the registry, with constant memory. Repeats after temporary failures. */
  async push(repository: Repository, content: BlobContent, context: CallContext): Promise<void> {
    const { blobs, clock, random, log } = this.#settings;
    let attempts = 0;
    const { failure } = await repeat<UploadEnd>({
      context,
      clock,
      random,
      log,
      attempt: async (number) => {
        attempts = number;
        // Perhaps only the response was lost.
        if (number > 1 && (await blobs.has(repository, content, context))) return {};
        const begun = await this.#begin(repository, newUpload(content), context, [202]);
        let waitMs: number | undefined;
        try {
          // Decides only about the wait: the state of the session is unknown, so another attempt needs a new one.
          await this.#send(repository, begun, content, context, (outcome, attempt) => {
            waitMs = registryRetry(outcome, { ...attempt, number });
            return undefined;
          });
          return {};
        } catch (failure) {
          if (!(failure instanceof RegistryError) || !failure.isTemporary) throw failure;
          return { failure, waitMs };
        }
      },
      waitMs: ({ waitMs }) => waitMs,
      describe: ({ failure }) => ({
        message: failure === undefined ? "uploaded a blob" : "a blob was not uploaded",
        fields: { blob: `${formatRepository(repository)}@${content.digest}` },
        problem: failure?.message,
      }),
    });
    if (failure !== undefined) throw lastOf(attempts, failure);
  }

  /** Mounts a blob from another repository of the same registry; false if the registry does not support that. */
  async mount(
    repository: Repository,
    digest: Digest,
    from: Repository,
    context: CallContext,
  ): Promise<boolean> {
    const query = { mount: digest, from: from.path };
    const answer = await this.#begin(repository, query, context, [201, 202], from).catch(
      (error: unknown) => {
        // If the other repository is not accessible, the caller uploads the blob instead.
        const isRefused = error instanceof RegistryError && !error.isTemporary;
        if (isRefused && error.status >= 400 && error.status < 500) return undefined;
        throw error;
      },
    );
    if (answer?.status === 202) await this.#cancel(repository, answer, context);
    return answer?.status === 201;
  }

  #begin(
    repository: Repository,
    query: Readonly<Record<string, string>>,
    context: CallContext,
    expected: readonly number[],
    alsoReads?: Repository,
  ): Promise<HttpResponse> {
    const path = "blobs/uploads/";
    const headers = { "content-length": "0" };
    const request = { repository, path, query, headers, context, expected, alsoReads };
    return this.#settings.calls.request({ ...request, method: "POST" });
  }

  async #send(
    repository: Repository,
    begun: HttpResponse,
    content: BlobContent,
    context: CallContext,
    retry: RetryPolicy,
  ): Promise<void> {
    const { digest, size } = content;
    let sourceFailure: unknown;
    const sending = this.#settings.calls.request({
      repository,
      method: "PUT",
      path: locationOf(begun, repository),
      query: { digest },
      headers: { "content-type": "application/octet-stream", "content-length": String(size) },
      // Opened only when the request is sent, because it may fail before that.
      body: () =>
        opened(content, (failure) => {
          sourceFailure = failure;
        }),
      context,
      expected: [201, 204],
      retry,
    });
    // If the content could not be read, that is the cause, not the aborted request.
    await sending.catch((failure: unknown) => {
      throw sourceFailure ?? failure;
    });
  }

  /** Cancels an upload that is not needed. Failures do not matter: registries clean up old uploads. */
  async #cancel(repository: Repository, begun: HttpResponse, context: CallContext): Promise<void> {
    const path = locationOf(begun, repository);
    const request = { repository, method: "DELETE", path, context, retry: noRetry } as const;
    await this.#settings.calls.request({ ...request, expected: ["2xx"] }).catch(() => undefined);
  }
}

/** The query of a new upload. The algorithm lets the registry hash the content while it arrives. */
function newUpload({ digest }: BlobName): Readonly<Record<string, string>> {
  const algorithm = algorithmOf(digest);
  return algorithm === "sha256" ? {} : { "digest-algorithm": algorithm };
}

function locationOf({ headers, url }: HttpResponse, repository: Repository): URL {
  const name = formatRepository(repository);
  const location = headers["location"];
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw new RegistryError(
      "MALFORMED_ANSWER",
      `the registry returned no URL for an upload to ${name}`,
    );
  }
  const target = new URL(location, url);
  const problem = redirectProblem(url, target);
  if (problem === undefined && target.username === "" && target.password === "") return target;
  throw new RegistryError(
    "UNSAFE",
    `an upload to ${name} ${problem ?? "was directed to a URL with credentials"}; nothing was sent there`,
  );
}

async function* opened(
  content: BlobContent,
  onFailure: (failure: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content.open();
  } catch (failure) {
    onFailure(failure);
    throw failure;
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}
