import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { LoopWatch } from "./loop-watch";

/** The time between two signs of life, in milliseconds. */
const beatMs = 100;

/**
 * Ends this process if its code blocks it, as in an endless loop, and reports the line.
 *
 * Another thread watches, because this one is blocked.
 */
export class LoopGuard {
  readonly #shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #watch: LoopWatch;
  #isStarted = false;

  /** @param what where and how to report the line */
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
    // Without the options of this process, which could load a compiler.
    const options = { workerData: this.#watch, execArgv: [], env: {} };
    const worker = new Worker(join(__dirname, "loop-watch.js"), options);
    // Everything else works without the thread.
    worker.on("error", () => undefined);
    worker.unref();
  }

  /** Ends the watch, until it begins again. */
  rest(): void {
    Atomics.store(this.#shared, 1, 0);
  }
}
