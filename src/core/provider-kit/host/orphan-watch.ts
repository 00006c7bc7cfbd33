/** Timers, replaceable in tests. */
export interface Clock {
  /** Runs an action once after a delay. The returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** The system's timers. They do not keep the process alive. */
const realClock: Clock = {
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The settings of an {@link OrphanWatch}. */
export interface OrphanWatchOptions {
  /** The time to wait for the first connection, in milliseconds. @default 60000 */
  readonly firstConnectionMs?: number | undefined;
  /**
   * The time to wait for a reconnection after the last connection was closed, in milliseconds.
   *
   * @default 5000
   */
  readonly reconnectionMs?: number | undefined;
  /** @default realClock */
  readonly clock?: Clock | undefined;
}

/**
 * Detects that the caller has disappeared without `Shutdown`, as when Terraform is killed.
 *
 * Standard input cannot be used for this: it is the user's terminal.
 */
export class OrphanWatch {
  readonly #clock: Clock;
  readonly #reconnectionMs: number;
  #cancel: () => void;

  readonly #onOrphaned: () => void;

  constructor(onOrphaned: () => void, options: OrphanWatchOptions = {}) {
    this.#onOrphaned = onOrphaned;

    this.#clock = options.clock ?? realClock;
    this.#reconnectionMs = options.reconnectionMs ?? 5000;
    this.#cancel = this.#clock.after(options.firstConnectionMs ?? 60_000, onOrphaned);
  }

  /** Updates the number of open connections. */
  readonly update = (open: number): void => {
    this.#cancel();
    this.#cancel =
      open === 0 ? this.#clock.after(this.#reconnectionMs, this.#onOrphaned) : () => undefined;
  };
}
