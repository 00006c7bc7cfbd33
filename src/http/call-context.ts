/** What goes with a call through all its requests. */
export interface CallContext {
  /** Aborting it ends the call with `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch by the client's clock; no attempt and no wait goes past it. */
  readonly deadline: number;
}

/** Takes a message and its fields; none of them holds a secret. */
export type ClientLog = (
  level: "trace" | "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;
