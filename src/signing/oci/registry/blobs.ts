import type { CallContext } from "../../../http/call-context";
import type { Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { checkedContent } from "../protocol/checked-content";
import type { Descriptor } from "../protocol/descriptor";
import { transportError } from "../protocol/refusal";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

/** Of a blob that is kept in memory. */
export const maxBlobBytes = 64 * 1024 * 1024;

export type BlobName = Pick<Descriptor, "digest" | "size">;

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
        message: `the registry gave other content for ${place}: it announces ${Number(announced)} bytes, and not ${blob.size}`,
      });
    }
    return checkedContent(inOurWords(answer.body), blob, place);
  }

  return {
    /** The whole blob, its size and digest checked. */
    async get(
      repository: Repository,
      blob: BlobName,
      context: CallContext,
      maxBytes = maxBlobBytes,
    ): Promise<Buffer> {
      if (blob.size > maxBytes) {
        throw new RegistryError({
          code: "TOO_LARGE",
          message: `the blob ${formatRepository(repository)}@${blob.digest} has ${blob.size} bytes, more than the ${maxBytes} that are read`,
        });
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of await open(repository, blob, context)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },

    /** The blob as it comes; ends with `WRONG_CONTENT`, before its last piece, when it is another one. */
    stream: open,

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

export type Blobs = ReturnType<typeof createBlobs>;

async function* inOurWords(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (failure) {
    throw transportError(failure);
  }
}
