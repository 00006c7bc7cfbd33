/** The `code` of the error for a server that sends nothing for too long. */
export const serverSilent = "SERVER_SILENT";

/** One HTTP request. Header names are lowercase. */
export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Aborts the request, and the response body while it is being read. */
  readonly signal: AbortSignal;
  /**
   * After this many milliseconds without data from the server, the request fails.
   *
   * @default no limit
   */
  readonly silenceMs?: number | undefined;
  /**
   * True if the server of an https URL may speak plain http only. Such a request fails before root
   * certificates are loaded.
   *
   * @default false
   */
  readonly mayLackTls?: boolean | undefined;
  /** Root certificates in PEM that are trusted for this request, beside those of the environment. @default none */
  readonly rootCertificates?: string | undefined;
}

/** One HTTP response. */
export interface TransportAnswer {
  readonly status: number;
  /**
   * Names are lowercase. Only the first value of a repeated header is kept, but all values of
   * `www-authenticate`.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends single requests, without redirects and retries.
 *
 * Failures are plain errors with a `code`: those of Node.js, and `SERVER_SILENT`.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}
