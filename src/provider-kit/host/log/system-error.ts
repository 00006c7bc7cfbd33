/** The code of an error of the operating system, such as EPIPE; undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  // Not by instanceof: test runners have an Error of their own.
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
