/**
 * The code of an error of the operating system, such as EPIPE; undefined for any other caught value.
 *
 * It goes by the fields, not by `instanceof`: errors may come from another realm, as under a test runner.
 */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether a caught value is an error of the operating system with this code. */
export const hasCode = (error: unknown, code: string): boolean => systemErrorCode(error) === code;
