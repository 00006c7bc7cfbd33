import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of each stream between two collections. With fewer, V8 would keep chunks that are still in use. */
const stepBytes = 1024 * 1024;

/** V8's garbage collection, as `--expose-gc` exposes it. */
type Collect = (options: { readonly type: "minor" }) => void;

let collect: Collect | undefined;
let streams = 0;
let passed = 0;

/**
 * Passes on a stream, and frees its chunks soon after use. V8 hardly counts their content when it schedules a collection,
 * so tens of megabytes would pile up. Collecting young objects costs little: the reused memory is still in the
 * processor's cache.
 */
export async function* freeingChunks(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  collect ??= exposedCollect();
  streams++;
  try {
    for await (const chunk of source) {
      passed += chunk.byteLength;
      // An object that survives two collections is no longer young, and stays much longer.
      if (passed >= stepBytes * streams) {
        passed = 0;
        collect({ type: "minor" });
      }
      yield chunk;
    }
  } finally {
    streams--;
  }
}

function exposedCollect(): Collect {
  setFlagsFromString("--expose-gc");
  const exposed: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  // Other engines may not have it.
  return isCollect(exposed) ? exposed : () => undefined;
}

const isCollect = (value: unknown): value is Collect => typeof value === "function";
