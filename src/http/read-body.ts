/** The `code` of the error that `readBody` throws for a body above the limit. */
export const answerTooLargeCode = "ANSWER_TOO_LARGE";

/** The headers and the body of a response. */
export interface BodySource {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads the whole body of a response.
 *
 * @throws Error with the code `ANSWER_TOO_LARGE` as soon as the body is known to be larger than
 * `maxBytes`: by its Content-Length, otherwise while reading it
 */
export async function readBody({ headers, body }: BodySource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Checked inside the loop, because leaving the loop closes the connection.
    if (size > maxBytes || announcedBytes(headers) > maxBytes) throw answerTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads up to `maxBytes` of a body, to quote it in a message. Ignores failures. */
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
    // The status is enough.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Reads and discards an unneeded body if it is short, so that its connection can be reused. */
export async function discardBody(source: BodySource): Promise<void> {
  await readBody(source, 65_536).catch(() => undefined);
}

function announcedBytes(headers: BodySource["headers"]): number {
  const text = headers["content-length"] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** Creates the error for a body that is larger than `maxBytes`. */
export function answerTooLarge(maxBytes: number): Error {
  const message = `the response is larger than ${formatBytes(maxBytes)}`;
  return Object.assign(new Error(message), { code: answerTooLargeCode });
}

function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return bytes >= 1_000 ? `${Math.round(bytes / 1_000)} kB` : `${bytes} bytes`;
}
