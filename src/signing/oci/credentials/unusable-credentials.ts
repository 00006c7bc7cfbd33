import { RegistryError } from "../protocol/registry-error";

/** The error for credentials that cannot be used, or cannot be had. */
export function unusable(problem: string, cause?: unknown): RegistryError {
  return new RegistryError({
    code: "CREDENTIALS",
    message: `the registry credentials: ${problem}`,
    cause,
  });
}
