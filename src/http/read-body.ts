/** The failure of `readBody`, in the form in which Node's own failures come. */
export const answerTooLargeCode = "answerTooLargeCode";

export interface BodySource {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The whole body of an answer; gives up as soon as it is known to be larger than `maxBytes`: by its
 * Content-Length before the first byte, else at the byte that is too much.
 */
export async function readBody({ headers, body }: BodySource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Looked at inside, so that leaving closes the connection.
    if (size > maxBytes || announcedBytes(headers) > maxBytes) throw answerTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The first `maxBytes` of a body, or what came of them: for words that are only quoted. */
export async function readStart({ body }: BodySource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status has said enough.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** What is left of a body that nobody needs is read if it is short, so that its connection can be used again. */
export async function discardBody(source: BodySource): Promise<void> {
  await readBody(source, 65_536).catch(() => undefined);
}

function announcedBytes(headers: BodySource["headers"]): number {
  const text = headers["content-length"] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export function answerTooLarge(maxBytes: number): Error {
  const message = `the answer is larger than ${formatBytes(maxBytes)}`;
  return Object.assign(new Error(message), { code: answerTooLargeCode });
}

function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return bytes >= 1_000 ? `${Math.round(bytes / 1_000)} kB` : `${bytes} bytes`;
}
