import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { LoopWatch } from "./loop-watch";

/** The time between two signs of life, in milliseconds. */
const beatMs = 100;

/**
 * Ends this process if its code never gives way, as in an endless loop, after it has said where it is.
 *
 * Another thread watches, because this one cannot while it loops.
 */
export class LoopGuard {
  readonly #shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #watch: LoopWatch;
  #isStarted = false;

  /** @param what is said, and where */
  constructor(what: Omit<LoopWatch, "shared">) {
    this.#watch = { ...what, shared: this.#shared };
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** @param limitMs the time in milliseconds without a sign of life after which the process is ended */
  watch(limitMs: number): void {
    Atomics.store(this.#shared, 1, limitMs);
    if (this.#isStarted) return;
    this.#isStarted = true;
    setInterval(() => Atomics.add(this.#shared, 0, 1), beatMs).unref();
    // Without the options of this process, which can load a compiler.
    const options = { workerData: this.#watch, execArgv: [], env: {} };
    const worker = new Worker(join(__dirname, "loop-watch.js"), options);
    // Without the thread, everything else works.
    worker.on("error", () => undefined);
    worker.unref();
  }

  /** Ends the watch, until it begins again. */
  rest(): void {
    Atomics.store(this.#shared, 1, 0);
  }
}
