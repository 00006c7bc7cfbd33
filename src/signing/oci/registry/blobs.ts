import type { CallContext } from "../../../http/call-context";
import type { Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { checkedContent } from "../protocol/checked-content";
import type { Descriptor } from "../protocol/descriptor";
import { transportError } from "../protocol/refusal";
import { maxAttachedBytes } from "../protocol/read-budget";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

/** Identifies a blob, with its expected size. */
export type BlobName = Pick<Descriptor, "digest" | "size">;

/**
 * Creates the client for blobs.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-blobs
 */
export function createBlobs(calls: RegistryCalls) {
  async function open(repository: Repository, blob: BlobName, context: CallContext) {
    const place = `the blob ${formatRepository(repository)}@${blob.digest}`;
    const answer = await calls.open({
      repository,
      method: "GET",
      path: `blobs/${blob.digest}`,
      actions: "pull",
      context,
      maxBytes: blob.size,
      redirects: "follow",
    });
    if (answer.status !== 200) throw await answer.refusal();
    const announced = answer.headers["content-length"];
    if (announced !== undefined && Number(announced) !== blob.size) {
      answer.discard();
      throw new RegistryError({
        code: "WRONG_CONTENT",
        message: `the registry returned wrong content for ${place}: it announces ${Number(announced)} bytes, expected ${blob.size}`,
      });
    }
    return checkedContent(withRegistryErrors(answer.body), blob, place);
  }

  return {
    /** Reads a whole blob, and verifies its size and digest. */
    async get(
      repository: Repository,
      blob: BlobName,
      context: CallContext,
      maxBytes = maxAttachedBytes,
    ): Promise<Buffer> {
      if (blob.size > maxBytes) {
        throw new RegistryError({
          code: "TOO_LARGE",
          message: `the blob ${formatRepository(repository)}@${blob.digest} has ${blob.size} bytes, more than the maximum of ${maxBytes}`,
        });
      }
      const content = await open(repository, blob, context);
      // Allocated once: collecting the chunks and joining them would need twice the memory.
      const bytes = Buffer.alloc(blob.size);
      let received = 0;
      for await (const chunk of content) {
        bytes.set(chunk, received);
        received += chunk.byteLength;
      }
      return bytes;
    },

    /** Streams a blob. Throws `WRONG_CONTENT` before the last chunk if it does not match its digest. */
    stream: open,

    /** Whether the repository contains a blob. */
    async has(repository: Repository, digest: Digest, context: CallContext): Promise<boolean> {
      const answer = await calls.request({
        repository,
        method: "HEAD",
        path: `blobs/${digest}`,
        actions: "pull",
        context,
        maxBytes: 65_536,
        redirects: "follow",
      });
      if (answer.status === 404) return false;
      if (answer.status !== 200) throw answer.refusal();
      return true;
    },
  };
}

/** The client for blobs. */
export type Blobs = ReturnType<typeof createBlobs>;

async function* withRegistryErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (failure) {
    throw transportError(failure);
  }
}
