import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How many bytes may pass between two collections. Smaller steps save no more memory. */
const stepBytes = 1024 * 1024;

/** V8's own garbage collection, as `--expose-gc` offers it. */
type Collect = (options: { readonly type: "minor" }) => void;

let collect: Collect | undefined;

/**
 * Frees the chunks of a stream soon after they were used. V8 hardly counts their content when it decides
 * about collecting garbage, so tens of megabytes would pile up. Collecting young objects costs no more time than it saves:
 * the memory that is used again is still in the processor's cache.
 *
 * @returns a function to call with the size of each chunk
 */
export function chunkCollector(): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < stepBytes) return;
    passed = 0;
    collect ??= exposedCollect();
    collect({ type: "minor" });
  };
}

function exposedCollect(): Collect {
  setFlagsFromString("--expose-gc");
  const exposed: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  // Another engine may not offer it.
  return isCollect(exposed) ? exposed : () => undefined;
}

const isCollect = (value: unknown): value is Collect => typeof value === "function";
