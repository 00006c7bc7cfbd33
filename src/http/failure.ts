// Caught values are looked at by their fields alone: they may come from another bundle or realm, where
// instanceof fails.

/** The `code` of Node, of the failure itself or of its cause. */
export function failureCode(failure: unknown): string | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  if ("code" in failure && typeof failure.code === "string") return failure.code;
  return "cause" in failure ? failureCode(failure.cause) : undefined;
}

/** Empty when there is none. */
export function failureMessage(failure: unknown): string {
  const isObject = typeof failure === "object" && failure !== null;
  return isObject && "message" in failure && typeof failure.message === "string"
    ? failure.message
    : "";
}
