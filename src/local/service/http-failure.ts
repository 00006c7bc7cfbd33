/** An error that a listener throws to respond with a status. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The response body. Subclasses define their service's format. */
  toJson(): unknown {
    return { code: this.status, message: this.message };
  }
}
