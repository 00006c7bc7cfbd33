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
