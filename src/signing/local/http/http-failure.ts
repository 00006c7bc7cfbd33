import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson } from "./answer";

/** A request that is answered with an error. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The body; each service has its own form. */
  toJson(): unknown {
    return { code: this.status, message: this.message };
  }
}

/** Answers with what was thrown; what is not an `HttpFailure` is a bug of ours. */
export function answerFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: unknown,
): void {
  // A client that is still writing would not see the answer otherwise.
  request.resume();
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const known =
    failure instanceof HttpFailure
      ? failure
      : new HttpFailure(500, `this is a bug of the local services: ${String(failure)}`);
  answerJson(response, known.status, known.toJson(), known.headers);
}
