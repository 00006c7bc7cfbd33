/** Timers, replaceable in tests. */
export interface Clock {
  /** Calls back once after a delay, unless cancelled by the function that it returns. */
  after(delayMs: number, action: () => void): () => void;
}

/** The real time; a waiting timer does not keep the process alive. */
export const realClock: Clock = {
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

export interface OrphanWatchOptions {
  /** How long nobody may be connected before anybody was. @default a minute */
  readonly firstConnectionMs?: number | undefined;
  /** How long nobody may be connected after somebody was. @default 5 seconds */
  readonly reconnectionMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Notices that the caller has gone without a word, as a killed Terraform does.
 *
 * Its standard input tells nothing: it is the user's terminal.
 */
export class OrphanWatch {
  private readonly clock: Clock;
  private readonly reconnectionMs: number;
  private cancel: () => void;

  constructor(
    private readonly onOrphaned: () => void,
    options: OrphanWatchOptions = {},
  ) {
    this.clock = options.clock ?? realClock;
    this.reconnectionMs = options.reconnectionMs ?? 5000;
    this.cancel = this.clock.after(options.firstConnectionMs ?? 60_000, onOrphaned);
  }

  /** Takes note of the number of connections that are open now. */
  readonly update = (open: number): void => {
    this.cancel();
    this.cancel =
      open === 0 ? this.clock.after(this.reconnectionMs, this.onOrphaned) : () => undefined;
  };
}
