/** The failure of a server that sends nothing for too long, in the form in which Node's own failures come. */
export const SERVER_SILENT = "SERVER_SILENT";

/** One HTTP request; header names are lower case. */
export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Ends the request, and the body of its answer as long as that is being read. */
  readonly signal: AbortSignal;
  /** Without a byte from the server for so long, before or in the body, the socket is given up. */
  readonly silenceMs?: number | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** Lower-case names; of a repeated header the first value, of `www-authenticate` all of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be read to its end, or to be left early, which closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends requests one at a time, follows no redirects, never retries.
 *
 * Failures are plain errors with a `code`: those of Node, and `SERVER_SILENT`.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}
