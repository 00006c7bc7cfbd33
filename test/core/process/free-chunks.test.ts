import { setImmediate } from "node:timers/promises";
import { freeingChunks } from "../../../src/core/process/free-chunks";

const chunkBytes = 64 * 1024;

async function* chunks(number: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < number; index++) {
    await setImmediate();
    yield Buffer.allocUnsafeSlow(chunkBytes).fill(index % 256);
  }
}

/** Reads a stream, and returns how much memory chunks took at most, in MiB. */
async function peakMb(source: AsyncIterable<Uint8Array>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  let index = 0;
  for await (const chunk of source) {
    if (chunk[0] !== index % 256) throw new Error(`the chunk ${index} is another one`);
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    index++;
  }
  expect(index).toBe(2_000);
  return peak / 2 ** 20;
}

test("chunks that were used take no memory, and each of them is passed on", async () => {
  expect(await peakMb(freeingChunks(chunks(2_000)))).toBeLessThan(8);
});
