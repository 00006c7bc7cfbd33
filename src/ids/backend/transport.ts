/** One HTTP request; header names are lower case. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends requests one at a time, follows no redirects, never retries.
 *
 * Failures are plain errors with a `code`: those of Node and undici, and `ANSWER_TOO_LARGE`.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}
