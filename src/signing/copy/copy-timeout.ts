import { failureCode } from "../../http/failure";
import { ProviderError } from "../../provider-kit";
import { printableLine } from "../../redaction/printable";

/**
 * Converts the error of a copy that ran out of time into one that says how to allow more. The provider's
 * timeout, which limits the other operations on images, has no effect on it. Returns any other error
 * unchanged.
 */
export function timeoutExplained(
  error: unknown,
  attempt: string,
  operation: "create" | "update",
): unknown {
  if (!(error instanceof Error) || failureCode(error) !== "DEADLINE") return error;
  return new ProviderError({
    summary: "Operation Timed Out",
    detail:
      `${attempt} failed: ${printableLine(error.message)}. Allow more time with ` +
      `timeouts { ${operation} = "…" }, and apply again: what is already at the destination is kept.`,
    cause: error,
  });
}
