/** The signal and the deadline of a call, for all of its requests. */
export interface CallContext {
  /** Aborting it ends the call with the error `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, by the client's clock. Attempts and waits end before it. */
  readonly deadline: number;
}

/** Logs a message and its fields. They never contain secrets. */
export type ClientLog = (
  level: "trace" | "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;
