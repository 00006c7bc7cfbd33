import { createHash } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { freeingChunks } from "../../../process/free-chunks";
import { algorithmOf } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/image-name";
import type { Descriptor } from "../protocol/descriptor";
import { maxAttachedBytes } from "../protocol/read-budget";
import type { RegistryCalls } from "./registry-call";
import { RegistryError, wrongContent } from "../protocol/registry-error";

export type BlobName = Pick<Descriptor, "digest" | "size">;

/**
 * The client for blobs.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-blobs
 */
export class Blobs {
  constructor(private readonly calls: RegistryCalls) {}

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
    const answer = await this.calls.open({
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
    const { status } = await this.calls.request({
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

/** Refuses a blob that is too large to be held in memory. */
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

/** The calls about blobs, in whatever way they are stored. */
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
