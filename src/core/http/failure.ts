// Caught values are recognised only by their fields: they may come from another bundle or realm,
// where instanceof fails.

/** The `code` of a failure or of its cause, such as `ECONNREFUSED`; undefined without one. */
export function failureCode(failure: unknown): string | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  if ("code" in failure && typeof failure.code === "string") return failure.code;
  return "cause" in failure ? failureCode(failure.cause) : undefined;
}

/** The message of a failure; empty if it has none. */
export function failureMessage(failure: unknown): string {
  const isObject = typeof failure === "object" && failure !== null;
  return isObject && "message" in failure && typeof failure.message === "string"
    ? failure.message
    : "";
}

/** A failure with a code, such as those of Node.js. */
export const failureOf = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** The `code` of the failure of a body that is larger than the limit. */
export const answerTooLargeCode = "ANSWER_TOO_LARGE";
